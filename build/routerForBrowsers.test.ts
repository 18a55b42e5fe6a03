import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { routerForBrowsers } from './routerForBrowsers.ts'
import { buildPages, pageWith } from './testing.ts'

const router = fileURLToPath(import.meta.resolve('react-router'))
const pageThat = (main: string) => ({
  'index.html': pageWith('<script type="module" src="/main.js"></script>'),
  'main.js': main,
})
const page = pageThat(`
  import { Link, createMemoryRouter } from ${JSON.stringify(router)}
  globalThis.link = Link
  globalThis.routerWith = options =>
    createMemoryRouter([{ path: '/' }, { path: '/next', loader: () => 'loaded' }], options)
`)

const scriptOf = async (files: Record<string, string>, plugins = [routerForBrowsers()]) => {
  const { names, read } = await buildPages(files, plugins)
  return read(names.find(name => name.endsWith('.js'))!)
}

/** They occur only in what is removed. */
const instrumentation = 'Uninstrumented'
const routeLinks = 'imageSizes'

test('the page has the router without its instrumentation and the links of its framework', async () => {
  const whole = await scriptOf(page, [])
  const script = await scriptOf(page)
  expect([whole.includes(instrumentation), whole.includes(routeLinks)]).toEqual([true, true])
  expect([script.includes(instrumentation), script.includes(routeLinks)]).toEqual([false, false])
})

test('it still navigates and loads, and asking for instrumentation throws an error that says why', async () => {
  const { names, folder } = await buildPages(page, [routerForBrowsers()])
  await import(/* @vite-ignore */ `${folder}/${names.find(name => name.endsWith('.js'))}`)
  const { routerWith } = globalThis as unknown as {
    routerWith: (options?: object) => {
      initialize: () => { navigate: (to: string) => Promise<void> }
      state: { location: { pathname: string }; loaderData: Record<string, unknown> }
    }
  }
  const made = routerWith()
  await made.initialize().navigate('/next')
  expect([made.state.location.pathname, Object.values(made.state.loaderData)]).toEqual(['/next', ['loaded']])
  expect(() => routerWith({ instrumentations: [{ router: () => {} }] })).toThrow('The page has no such part')
})

test('a version of the router that has them elsewhere fails the build', async () => {
  const files = {
    ...pageThat(`import { Link } from './node_modules/react-router/index.js'\nglobalThis.link = Link`),
    'node_modules/react-router/index.js': `export const Link = 'a link'`,
  }
  await expect(scriptOf(files)).rejects.toThrow('react-router has moved')
})

test('a page without the router builds', async () => {
  expect(await scriptOf(pageThat('document.title = "no router"'))).toContain('no router')
})
