/**
 * Runs a module at build time and puts its exported values into the page instead of its code. The table of endpoints is computed
 * from the contracts. As code it would pull every contract into the page, and zod with them (docs/decisions/009-page-weight.md).
 */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Plugin, normalizePath, runnerImport } from 'vite'

/** `path`: the module's path, relative to the root. */
export const endpointTable = (path: string): Plugin => {
  let file: string
  let replaced = false
  return {
    name: 'endpoint-table',
    configResolved({ root }) {
      file = normalizePath(join(root, path))
    },
    async load(id) {
      if (id.split('?')[0] !== file) return null
      replaced = true
      const { module, dependencies } = await runnerImport<object>(file, { configFile: false, logLevel: 'error' })
      for (const contract of dependencies) this.addWatchFile(contract)
      const values = Object.entries(module).map(([name, value]) => {
        const json = JSON.stringify(value)
        if (json === undefined || !isDeepStrictEqual(JSON.parse(json), value))
          this.error(`${path}: ${name} is not a plain value, so it cannot be written into the page.`)
        return `export const ${name} = ${json}`
      })
      return values.join('\n')
    },
    // Runs only in builds.
    writeBundle() {
      if (!replaced) this.error(`The page does not import ${path}: has it moved?`)
    },
  }
}
