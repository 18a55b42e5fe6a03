/**
 * Removes modules of which a screen uses nothing. A slice's face exports everything that other slices may draw. A screen that shows
 * a list of files would also load the code for uploads, because the bundler keeps every imported module that might do something
 * when it runs (docs/decisions/009-page-weight.md). The modules in `pure` promise that they need not run.
 */
import { type Plugin, normalizePath } from 'vite'

/** The folders of slices, and the kit's components. Modules of `app` and the kit's services may do something when they run. */
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
          this.error(`${normalizePath(id)} imports ${path} for its side effects, but the build leaves it out.`)
      }
    },
  },
})
