/**
 * Removes two parts of react-router from the page that it never uses and that tree shaking keeps: instrumentation, and the links
 * that prefetch a route of its framework mode. They take 1.5 kB, gz (docs/decisions/009-page-weight.md).
 */
import { pathToFileURL } from 'node:url'
import { type Plugin, normalizePath } from 'vite'

const isRouter = /\/node_modules\/react-router\//
const isUnused = /\/react-router\/dist\/\w+\/lib\/(router\/instrumentation|dom\/ssr\/links)\.m?js$/
/** Called after each navigation; without instrumentation it has no result. */
const asked = 'consumeInstrumentationClientResultMetaReceiver'

export const routerForBrowsers = (): Plugin => {
  const emptied = new Set<string>()
  return {
    name: 'router-for-browsers',
    apply: 'build',
    async transform(_code, id) {
      const file = normalizePath(id)
      if (!isUnused.test(file)) return null
      emptied.add(file)
      const names = Object.keys((await import(pathToFileURL(id).href)) as object)
      const code = `const absent = () => { throw new Error('The page has no such part of the router.') }
        const none = () => undefined
        export { ${names.map(name => `${name === asked ? 'none' : 'absent'} as ${name}`).join(', ')} }`
      return { code, map: null }
    },
    generateBundle() {
      const hasRouter = Array.from(this.getModuleIds()).some(id => isRouter.test(normalizePath(id)))
      if (hasRouter && emptied.size !== 2)
        this.error('react-router has moved what the page does not use to other files.')
    },
  }
}
