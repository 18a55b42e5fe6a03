import { type DataRouter, createMemoryRouter } from 'react-router'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { provideCalls } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { session } from '../../kit/web/session.ts'
import { startAhead } from './ahead.ts'
import { endpointTable } from './endpointTable.ts'

provideCalls(endpointTable)

/** What was requested from the server, and which code was loaded, in order. */
let asked: string[] = []
let answer: () => Response | Promise<Response>
const refused = () => Response.json({ message: 'Not here.' }, { status: 404 })
vi.stubGlobal('fetch', (path: string) => {
  asked.push(path.replace('/api/v1', '').replace(/\?.*/, ''))
  return Promise.resolve().then(answer)
})

const here = async () => ({})
/** How code is loaded. */
let comes: () => Promise<object>
const code = (name: string) => () => {
  asked.push(`code of ${name}`)
  return comes()
}
const routes = () => [
  { path: '/', children: [{ path: '*', children: [] }] },
  { path: '/login', lazy: code('login') },
  {
    path: '/dashboard',
    lazy: code('frame'),
    children: [
      { index: true },
      { path: 'settings', lazy: { loader: async () => async () => null } },
      { path: 'statements' },
      { path: 'my-tests', lazy: code('tests') },
      { path: 'balance', lazy: code('balance') },
      { path: 'campaigns', lazy: code('campaigns') },
    ],
  },
]

type Listening = Parameters<typeof document.addEventListener>
const listened: Listening[] = []
let router: DataRouter
const begun = async (address = '/nowhere') => {
  router = createMemoryRouter(routes(), { initialEntries: [address] })
  await startAhead(router)
  asked = []
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const put = (html: string) => {
  document.body.insertAdjacentHTML('beforeend', html)
  return document.body.lastElementChild!
}
const link = (href: string, more = '') => put(`<a href="${href}" ${more}><b>There</b></a>`).firstElementChild!
const moves = (type: string, target: EventTarget = document.body) =>
  target.dispatchEvent(new Event(type, { bubbles: true }))

const requests = () => asked.filter(what => !what.startsWith('code'))
const bell = '/users/me/notifications'
const settings = [bell, '/users/me']
const connection = (value: { saveData: boolean } | undefined) =>
  Object.defineProperty(navigator, 'connection', { value, configurable: true })

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const listen = document.addEventListener.bind(document)
  vi.spyOn(document, 'addEventListener').mockImplementation((...how: Listening) => {
    listened.push(how)
    listen(...how)
  })
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 'u1', email: 'u1@example.com', name: 'Uma', role: 'TESTER' },
  })
  asked = []
  answer = refused
  comes = here
})
afterEach(() => {
  router.dispose()
  for (const [type, listener] of listened.splice(0)) document.removeEventListener(type, listener)
  document.body.replaceChildren()
  document.head.replaceChildren()
  history.replaceState(null, '', '/')
  Reflect.deleteProperty(navigator, 'connection')
  vi.useRealTimers()
  vi.restoreAllMocks()
  queryClient.clear()
  session.clear()
})
afterAll(() => vi.unstubAllGlobals())

// The page loads the code of an address only once, so each case has an address of its own.
test.each([
  ['pointerover', '/dashboard/settings', '/users/me'],
  ['focusin', '/dashboard/statements', '/users/me/papers'],
])('resting on a link (%s) preloads its screen', async (type, address, own) => {
  await begun()
  moves(type, link(address))
  await pass(64)
  expect(asked).toEqual([])
  await pass(1)
  expect(asked).toEqual(['code of frame', bell, own])
})

test.each(['pointerover', 'focusin', 'pointerdown'])(
  'only passing over a link preloads nothing (then %s)',
  async type => {
    await begun()
    moves('pointerover', link('/dashboard/settings'))
    await pass(64)
    moves(type)
    await pass(500)
    expect(asked).toEqual([])
  },
)

test('pressing a link preloads its screen at once, and only once', async () => {
  await begun()
  const target = link('/dashboard/settings')
  moves('pointerover', target)
  moves('pointerdown', target)
  await pass(0)
  expect(requests()).toEqual(settings)
  await pass(500)
  expect(requests()).toEqual(settings)
})

test('the dashboard itself is a screen, and so is one whose code the router does not know', async () => {
  await begun()
  for (const [address, own] of [
    ['/dashboard', '/dashboard/tester'],
    ['/dashboard/notifications/choices', '/users/me/notification-choices'],
  ] as const) {
    asked = []
    moves('pointerdown', link(address))
    await pass(0)
    expect(asked).toContain(own)
  }
})

test.each([
  ['opens another window', '/dashboard/settings', 'target="_blank"'],
  ['saves a file', '/dashboard/settings', 'download'],
  ['leads to another site', 'https://elsewhere.test/dashboard/settings', ''],
  ['leads to a public screen', '/login', ''],
  ['only begins like a screen', '/dashboards', ''],
  ['only ends like one', '/en/dashboard/', ''],
  ['leads to another place of the open screen', '/dashboard/balance?page=2#top', ''],
  ['leads nowhere', '', ''],
])('a link that %s asks for nothing', async (_, address, more) => {
  history.replaceState(null, '', '/dashboard/balance')
  await begun()
  moves('pointerdown', link(address, more))
  moves('pointerover', link(address, more))
  await pass(500)
  expect(asked).toEqual([])
})

test.each(['pointerover', 'pointerdown'])(
  'neither a target that is not a link nor one outside the page preloads anything: %s',
  async type => {
    await begun()
    for (const target of [put('<p href="/dashboard/settings"></p>'), put('<a>There</a>'), document]) moves(type, target)
    await pass(500)
    expect(asked).toEqual([])
  },
)

test('the code of a screen is loaded once, and again only if loading failed', async () => {
  await begun()
  const target = link('/dashboard/my-tests')
  const codes = async () => {
    moves('pointerdown', target)
    await pass(0)
    return asked.splice(0).filter(what => what.startsWith('code'))
  }
  comes = () => Promise.reject(new Error('no line'))
  expect(await codes()).toEqual(['code of frame', 'code of tests'])
  comes = here
  expect(await codes()).toEqual(['code of frame', 'code of tests'])
  expect(await codes()).toEqual([])
  moves('pointerdown', link('/dashboard/campaigns'))
  await pass(0)
  expect(asked).toContain('code of campaigns')
})

test('with data saving on, nothing is preloaded', async () => {
  await begun()
  connection({ saveData: true })
  moves('pointerdown', link('/dashboard/balance'))
  await pass(500)
  expect(asked).toEqual([])
})

test.each([{ saveData: false }, undefined])('with a connection that reports %o, screens are preloaded', async line => {
  await begun()
  connection(line)
  moves('pointerdown', link('/dashboard/settings'))
  await pass(0)
  expect(requests()).toEqual(settings)
})

test('the listeners never delay scrolling or a pointer', async () => {
  await begun()
  const options = listened.filter(([type]) => type.startsWith('pointer')).map(([type, , how]) => [type, how])
  expect(options).toEqual([
    ['pointerover', { passive: true }],
    ['pointerdown', { passive: true }],
  ])
})

test('a screen’s data is requested while its code loads, once for each navigation', async () => {
  await begun('/login')
  const { promise, resolve } = Promise.withResolvers<object>()
  comes = () => promise
  void router.navigate('/dashboard/settings')
  await pass(0)
  expect(asked).toEqual(['code of frame', ...settings])
  void router.revalidate()
  await pass(0)
  expect(requests()).toEqual(settings)
  resolve({})
  await pass(0)
  expect([router.state.navigation.state, requests()]).toEqual(['idle', settings])
  asked = []
  void router.navigate('/dashboard/balance')
  await pass(0)
  expect(requests()).toEqual([...settings, '/testers/balance'])
})

test('a navigation that is already under way is followed too', async () => {
  router = createMemoryRouter(routes(), { initialEntries: ['/nowhere'] })
  void router.navigate('/dashboard/settings')
  asked = []
  void startAhead(router)
  await pass(0)
  expect(asked).toEqual(expect.arrayContaining(settings))
})

test('a first screen is ready when its answers have arrived', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>()
  answer = () => promise.then(() => refused())
  router = createMemoryRouter(routes(), { initialEntries: ['/dashboard/settings'] })
  const ready = vi.fn()
  void startAhead(router).then(ready)
  await pass(500)
  expect(asked).toEqual(expect.arrayContaining(settings))
  expect(ready).not.toHaveBeenCalled()
  resolve(refused())
  await pass(0)
  expect(ready).toHaveBeenCalled()
})

// These tests load the page's modules anew, which takes a busy machine a while.
const patience = { timeout: 30_000 }

/** A page whose first screen has been requested, and which links to another one. */
const freshPage = async () => {
  vi.resetModules()
  const fresh = await import('../../kit/web/session.ts')
  fresh.session.restore()
  ;(await import('../../kit/web/api.ts')).provideCalls(endpointTable)
  const { startAhead: start } = await import('./ahead.ts')
  router = createMemoryRouter(routes(), { initialEntries: ['/nowhere'] })
  const table = { files: ['assets/balance.js'], screens: { '/dashboard/balance': [0] } }
  put(`<script id="first-code">${JSON.stringify(table)}</script>`)
  put('<div id="root"><a href="/dashboard/balance">Balance</a></div>')
  vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList)
  await start(router)
  return {
    listens: () => asked.includes('/users/me/events'),
    fetchesCode: async () => {
      await pass(2_000)
      return document.querySelector('link[href="/assets/balance.js"]') !== null
    },
    leave: async () => {
      fresh.session.clear()
      await pass(0)
    },
  }
}
const loaded = async (ms: number) => {
  await pass(ms)
  await vi.dynamicImportSettled()
}

test('a second later it begins to listen, and to fetch the code of the screens it links to', patience, async () => {
  const { listens, fetchesCode, leave } = await freshPage()
  await loaded(999)
  expect(listens()).toBe(false)
  await loaded(1)
  expect([listens(), await fetchesCode()]).toEqual([true, true])
  await leave()
})

test('with data saving on, the page listens for changes but fetches no code ahead', patience, async () => {
  const { listens, fetchesCode, leave } = await freshPage()
  connection({ saveData: true })
  await loaded(1_000)
  expect([listens(), await fetchesCode()]).toEqual([true, false])
  await leave()
})
