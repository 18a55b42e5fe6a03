/**
 * Removes zod's JSON schema writer from the page. Every zod type refers to it, so tree shaking keeps it, although only the server's
 * API document uses it. It takes 5 of zod's 25 kB, gz (docs/decisions/009-page-weight.md).
 */
import { pathToFileURL } from 'node:url'
import { type Plugin, normalizePath } from 'vite'

const isZod = /\/node_modules\/zod\//
const writesJsonSchema = /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/

export const zodWithoutJsonSchema = (): Plugin => {
  const emptied = new Set<string>()
  return {
    name: 'zod-without-json-schema',
    apply: 'build',
    async transform(_code, id) {
      const file = normalizePath(id)
      if (!writesJsonSchema.test(file)) return null
      emptied.add(file)
      const names = Object.keys((await import(pathToFileURL(id).href)) as object)
      const code = `const absent = () => { throw new Error('The page has no JSON schemas.') }
        export { ${names.map(name => `absent as ${name}`).join(', ')} }`
      return { code, map: null }
    },
    generateBundle() {
      const hasZod = Array.from(this.getModuleIds()).some(id => isZod.test(normalizePath(id)))
      if (hasZod && emptied.size !== 2) this.error('zod has moved its JSON schema writer to other files.')
    },
  }
}
