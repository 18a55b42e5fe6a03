/**
 * Leaves out modules of which a screen uses nothing. A slice's face names all that other slices may draw, so a screen that
 * shows a list of files would load the uploads beside it, too: the bundler keeps each imported module that might do
 * something when it is run (docs/decisions/009-page-weight.md). The modules of `pure` promise that they need not be run.
 */
import { type Plugin, normalizePath } from 'vite'

/** The folders of slices and the kit's components. The composition and the kit's own services may do something when run. */
const pureModulesOfThePage = /\/src\/(kit\/web\/ui|(?!app\/|kit\/)\w+\/web)\/.+\.tsx?$/

const importedForItsEffect = /^import\s*['"](\.[^'"]+)['"]/gm

export const unusedModules = (pure = pureModulesOfThePage): Plugin => ({
  name: 'unused-modules',
  enforce: 'pre',
  apply: 'build',
  config: () => ({
    build: { rolldownOptions: { treeshake: { moduleSideEffects: [{ test: pure, sideEffects: false }] } } },
  }),
  transform: {
    filter: { id: /\.[jt]sx?$/ },
    async handler(code, id) {
      for (const [, path] of code.matchAll(importedForItsEffect)) {
        const module = await this.resolve(path!, id)
        if (module && pure.test(normalizePath(module.id)))
          this.error(`${normalizePath(id)} imports ${path} for what it does when run, and the build leaves it out.`)
      }
    },
  },
})
