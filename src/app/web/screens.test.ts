/** The server and the page's router must agree on which addresses have a screen. */
import { expect, test, vi } from 'vitest'
import { type RouteObject, matchRoutes } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { hasScreen } from '../../kit/screens.ts'

// The router needs a browser to start, but only its routes are needed here.
vi.stubGlobal('addEventListener', () => undefined)
vi.mock('react-router', async original => ({
  ...(await original<object>()),
  createBrowserRouter: (routes: RouteObject[]) => ({
    routes,
    state: { location: { pathname: '/' } },
    subscribe: () => undefined,
  }),
}))

// The router warns of addresses that cannot be decoded.
vi.spyOn(console, 'warn').mockImplementation(() => undefined)

const { startRouter } = await import('./routes.tsx')
const routes: RouteObject[] = startRouter().routes

/** The address of each screen in the routes, with its ids filled in. */
const addressesIn = (some: RouteObject[], above: string): string[] =>
  some.flatMap(({ path = '', children }) => {
    const address = path === '' ? above : `${above === '/' ? '' : above}/${path}`
    return children ? addressesIn(children, address) : [address.replaceAll(/:\w+/g, 'some-id')]
  })
const addresses = addressesIn(routes, '/').filter(address => address !== '/*')

const isRouted = (address: string) => matchRoutes(routes, address)?.at(-1)?.route.path !== '*'

test('the routes were found', () => expect(addresses.length).toBeGreaterThan(20))

test.each(addresses)('%s has a screen', address => expect(hasScreen(address)).toBe(true))

test.each(Object.entries(paths))('the link %s leads to a screen', (_, path) => {
  const address = typeof path === 'function' ? path('some-id', 'testers') : path
  expect(isRouted(address.replace(/[?#].*$/, ''))).toBe(true)
})

test.each([
  ...addresses.flatMap(address => [
    `${address}/`,
    `${address}/x`,
    `${address}x`,
    address.toUpperCase(),
    `/x${address}`,
  ]),
  '/no/such/page',
  '/dashboard//campaigns',
  '//login',
  '/login//',
  '/login/.',
  '/d%61shboard',
  '/dashboard/my-tests/a%2Fb',
  '/dashboard/my-tests/a%252Fb',
  '/dashboard/my-tests/%20',
  '/dashboard/my-tests/ä?',
  '/dashboard/users/security/x',
  '/dashboard/campaigns/create/edit',
  '/%zz',
  '/dashboard/users/%zz',
  '/*',
  '/dashboard/*',
])('the server and the page agree about %s', address => expect(hasScreen(address)).toBe(isRouted(address)))
