/**
 * Builds a module and what it imports into a classic script of its own: the page's scripts wait for such a script if another one has
 * written it into the document, and would not wait for a module.
 */
import { join } from 'node:path'
import { type Plugin, build } from 'vite'

type Options = { module: string; fileName: string; target: string }

export const classicScript = ({ module, fileName, target }: Options): Plugin => {
  let root: string
  return {
    name: 'classic-script',
    apply: 'build',
    configResolved(config) {
      root = config.root
    },
    async generateBundle() {
      const built = await build({
        root,
        configFile: false,
        publicDir: false,
        logLevel: 'error',
        build: { write: false, target, lib: { entry: join(root, module), formats: ['iife'], name: 'unused' } },
      })
      const [output] = Array.isArray(built) ? built : []
      const [script] = output?.output ?? []
      if (script?.type !== 'chunk') return this.error(`${module} gave no script.`)
      this.emitFile({ type: 'asset', fileName, source: script.code })
    },
  }
}
