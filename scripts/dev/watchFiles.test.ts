import { mkdir, mkdtemp, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { watchFiles } from './watchFiles.ts'

let root: string
let reported: string[]
let stop: () => void

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fieldtest-watch-'))
  await mkdir(join(root, 'src/web'), { recursive: true })
  await mkdir(join(root, 'skipped'))
  await writeFile(join(root, 'src/web/page.ts'), '0')
  reported = []
  stop = await watchFiles(root, {
    skips: folder => folder.endsWith('skipped'),
    onEvent: (event, file) => reported.push(`${event} ${relative(root, file)}`),
  })
})
afterEach(async () => {
  stop()
  await rm(root, { recursive: true })
})

const path = (name: string) => join(root, name)
const page = 'src/web/page.ts'

const ways: [string, (text: string) => Promise<void>][] = [
  ['overwritten', text => writeFile(path(page), text)],
  [
    'replaced by a new file',
    async text => {
      await writeFile(path('src/web/page.ts.new'), text)
      await rename(path('src/web/page.ts.new'), path(page))
    },
  ],
  [
    'moved aside and rewritten',
    async text => {
      await rename(path(page), path(`${page}~`))
      await writeFile(path(page), text)
      await unlink(path(`${page}~`))
    },
  ],
]

test.each(ways)('a file that is %s is reported every time, however soon after the last save', async (_way, save) => {
  for (let count = 1; count <= 10; count += 1) {
    const before = reported.length
    await save(String(count))
    await expect.poll(() => reported.slice(before).join(), { interval: 1 }).toMatch(new RegExp(`(change|add) ${page}`))
  }
})

test('a new folder is watched, and the files already in it are reported', async () => {
  await mkdir(path('src/new/inner'), { recursive: true })
  await writeFile(path('src/new/inner/rules.ts'), '0')
  await expect.poll(() => reported).toContain('add src/new/inner/rules.ts')
  await writeFile(path('src/new/inner/rules.ts'), '1')
  await expect.poll(() => reported).toContain('change src/new/inner/rules.ts')
})

test('a deleted file is reported once, and reported as added when it is back', async () => {
  await unlink(path(page))
  await expect.poll(() => reported).toEqual([`unlink ${page}`])
  await writeFile(path(page), '1')
  await expect.poll(() => reported).toEqual([`unlink ${page}`, `add ${page}`])
})

test('a renamed folder is reported file by file, and watched under its new name', async () => {
  await rename(path('src/web'), path('src/pages'))
  await expect.poll(() => reported.toSorted()).toEqual(['add src/pages/page.ts', `unlink ${page}`])
  await writeFile(path('src/pages/page.ts'), '1')
  await expect.poll(() => reported).toContain('change src/pages/page.ts')
})

test('a skipped folder is not reported', async () => {
  await writeFile(path('skipped/postgres.log'), '0')
  await writeFile(path(page), '1')
  await expect.poll(() => reported).toContain(`change ${page}`)
  expect(reported.filter(line => line.includes('skipped'))).toEqual([])
})
