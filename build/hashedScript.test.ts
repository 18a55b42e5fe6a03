import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { hashedScript } from './hashedScript.ts'
import { buildPages, pageWith } from './testing.ts'

const files = {
  'index.html': pageWith('<script>const start = () => new Worker("/beside.js")</script>'),
  'public/beside.js': '// Beside the page.\nconst result = 1 + 1\nsay(result)',
}
const hashed = hashedScript({ page: 'index.html', script: 'beside.js' })

/** The address under which the page names the script. */
const addressIn = (html: string) => /new Worker\("([^"]+)"\)/.exec(html)![1]!

test('the page names the script by an address with a hash, where the script is', async () => {
  const { read } = await buildPages(files, [hashed])
  const address = addressIn(await read('index.html'))
  expect(address).toMatch(/^\/assets\/beside-[\w-]{8}\.js$/)
  const said: number[] = []
  runInNewContext(await read(address), { say: (result: number) => said.push(result) })
  expect(said).toEqual([2])
})

test('another text of the script has another address, so no browser runs an earlier one', async () => {
  const addressOf = async (script: string) => {
    const { read } = await buildPages({ ...files, 'public/beside.js': script }, [hashed])
    return addressIn(await read('index.html'))
  }
  expect(await addressOf('say(3)')).not.toBe(await addressOf('say(4)'))
})

test('a page that does not name the script fails the build', async () => {
  const unnamed = { ...files, 'index.html': pageWith('<script>const start = 1</script>') }
  await expect(buildPages(unnamed, [hashed])).rejects.toThrow('the page has /beside.js 0 times')
})
