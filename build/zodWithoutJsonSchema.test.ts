import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { buildPages, pageWith } from './testing.ts'
import { zodWithoutJsonSchema } from './zodWithoutJsonSchema.ts'

const zod = fileURLToPath(import.meta.resolve('zod'))
const pageThat = (main: string) => ({
  'index.html': pageWith('<script type="module" src="/main.js"></script>'),
  'main.js': main,
})
const page = pageThat(`
  import { z } from ${JSON.stringify(zod)}
  const Person = z.object({ name: z.string().min(1, { error: 'Who?' }), age: z.int().optional() })
  globalThis.checked = [{ name: 'Ann', age: 7 }, { name: '' }].map(person => Person.safeParse(person))
  globalThis.schemaOf = () => Person.toJSONSchema()
`)

const scriptOf = async (files: Record<string, string>, plugins = [zodWithoutJsonSchema()]) => {
  const { names, read } = await buildPages(files, plugins)
  return read(names.find(name => name.endsWith('.js'))!)
}

/** Occurs only in zod's JSON schema writer. */
const writer = 'json-schema.org'

test('the page has zod without its JSON schema writer', async () => {
  expect(await scriptOf(page, [])).toContain(writer)
  expect(await scriptOf(page)).not.toContain(writer)
})

test('schemas still check values, and asking for a JSON schema throws an error that says why', async () => {
  const { names, folder } = await buildPages(page, [zodWithoutJsonSchema()])
  await import(/* @vite-ignore */ `${folder}/${names.find(name => name.endsWith('.js'))}`)
  const { checked, schemaOf } = globalThis as unknown as {
    checked: { success: boolean; error?: Error }[]
    schemaOf: () => unknown
  }
  expect(checked.map(({ success }) => success)).toEqual([true, false])
  expect(checked[1]!.error!.message).toContain('Who?')
  expect(schemaOf).toThrow('The page has no JSON schemas.')
})

test('a zod version that has the writer elsewhere fails the build', async () => {
  const files = {
    ...pageThat(`import { z } from './node_modules/zod/index.js'\nglobalThis.z = z`),
    'node_modules/zod/index.js': `export { z } from './v5/writer.js'`,
    'node_modules/zod/v5/writer.js': `export const z = 'https://json-schema.org/draft-07'`,
  }
  await expect(scriptOf(files)).rejects.toThrow('zod has moved its JSON schema writer')
})

test('a page without zod builds', async () => {
  expect(await scriptOf(pageThat('document.title = "no zod"'))).toContain('no zod')
})
