import { createMemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session } from '../../kit/web/session.ts'
import { fetchCodeAhead } from './codeAhead.ts'

const table = {
  files: [
    'assets/list.js',
    'assets/one.js',
    'assets/table.js',
    'assets/tester.js',
    'assets/admin.js',
    'assets/bugs.js',
    'assets/days.js',
  ],
  screens: {
    '/dashboard/campaigns': [0, 2],
    '/dashboard/campaigns/:id': [1, 2],
    '/dashboard/campaigns TESTER': [3],
    '/dashboard/campaigns ADMIN': [4],
    '/dashboard/campaigns/:id?tab=bugs TESTER': [5],
    '/dashboard/campaigns/:id?tab=days TESTER': [6],
    '/dashboard/campaigns/:id?tab=days ADMIN': [4],
  },
}
const list = '<a href="/dashboard/campaigns">Campaigns</a>'
const one = '<a href="/dashboard/campaigns/c1">Notes</a>'

const page = (links: string, json: string | null = JSON.stringify(table)) => {
  document.body.innerHTML = `<div id="root">${links}</div>`
  if (json !== null)
    document.body.insertAdjacentHTML('beforeend', `<script type="application/json" id="first-code">${json}</script>`)
}
const onLine = (connection: { effectiveType?: string } | undefined) =>
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true })

let router: ReturnType<typeof createMemoryRouter>
let slow: Promise<null> | null = null

const fetched = () => [...document.head.querySelectorAll('link')].map(link => link.getAttribute('href') ?? '')
const after = (ms: number) => {
  vi.advanceTimersByTime(ms)
  return fetched()
}
/** Waits until nothing is left to do. */
const settled = () => after(2_000)

beforeEach(() => {
  vi.useFakeTimers()
  router = createMemoryRouter([{ path: '*', loader: () => slow }])
  // jsdom has no layout.
  vi.spyOn(Element.prototype, 'getClientRects').mockImplementation(function boxes(this: Element) {
    return (this.hasAttribute('hidden') ? [] : [{}]) as unknown as DOMRectList
  })
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 'u1', email: 'u1@example.com', name: 'Uma', role: 'TESTER' },
  })
})
afterEach(() => {
  router.dispose()
  document.head.replaceChildren()
  document.body.replaceChildren()
  Reflect.deleteProperty(navigator, 'connection')
  slow = null
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  session.clear()
})

test('the files of a linked screen are fetched but not run, after everything more urgent', () => {
  page(one)
  fetchCodeAhead(router)
  settled()
  const link = document.head.querySelector('link')!
  expect([link.rel, link.crossOrigin, link.fetchPriority, link.getAttribute('href')]).toEqual([
    'modulepreload',
    '',
    'low',
    '/assets/one.js',
  ])
})

test.each<[string, string, string[]]>([
  ['each once, also where several screens need it', list + one + one, ['list', 'table', 'one', 'tester']],
  ['of what a link shows, not of what it hides', one + list.replace('<a', '<a hidden'), ['one', 'table']],
  ['of the part that a link names', one.replace('c1', 'c1?tab=bugs'), ['one', 'table', 'bugs']],
  ['of no other site', one.replace('href="', 'href="https://elsewhere.test'), []],
  ['of no screen without files', '<a href="/dashboard/settings">Settings</a>', []],
  ['of no link at all', '<button>Campaigns</button>', []],
])('files are fetched: %s', (_, links, names) => {
  page(links)
  fetchCodeAhead(router)
  expect(settled().toSorted()).toEqual(names.map(name => `/assets/${name}.js`).toSorted())
})

test('of the open screen, the files of its further parts are fetched', () => {
  history.replaceState(null, '', '/dashboard/campaigns/c1?tab=bugs')
  page('')
  fetchCodeAhead(router)
  expect(settled()).toEqual(['/assets/bugs.js', '/assets/days.js'])
  history.replaceState(null, '', '/')
})

test('links outside the screen fetch nothing', () => {
  page('')
  document.body.insertAdjacentHTML('beforeend', list)
  fetchCodeAhead(router)
  expect(settled()).toEqual([])
})

test('files that the document already links to are not fetched again', () => {
  page(one)
  document.head.innerHTML = '<link rel="modulepreload" href="/assets/table.js">'
  fetchCodeAhead(router)
  expect(settled()).toEqual(['/assets/table.js', '/assets/one.js'])
})

test('each screen’s files are fetched a second after it opens, unless another screen has opened by then', async () => {
  page(one)
  fetchCodeAhead(router)
  expect(after(600)).toEqual([])
  const { promise, resolve } = Promise.withResolvers<null>()
  slow = promise
  const opened = router.navigate('/dashboard/campaigns/c1')
  await vi.advanceTimersByTimeAsync(300)
  page(list)
  resolve(null)
  await opened
  expect(after(999)).toEqual([])
  expect(settled()).toEqual(['/assets/list.js', '/assets/table.js', '/assets/tester.js'])
})

test('this is not postponed while another screen is loading', async () => {
  page(one)
  fetchCodeAhead(router)
  vi.advanceTimersByTime(600)
  slow = new Promise(() => {})
  void router.navigate('/dashboard/campaigns/c1')
  await vi.advanceTimersByTimeAsync(0)
  vi.advanceTimersByTime(400)
  expect(settled()).toEqual(['/assets/one.js', '/assets/table.js'])
})

test('after a second, the files are fetched in idle time, one after the other', () => {
  const idle: (() => void)[] = []
  vi.stubGlobal('requestIdleCallback', (work: () => void) => idle.push(work))
  page(one)
  fetchCodeAhead(router)
  vi.advanceTimersByTime(999)
  expect(idle).toEqual([])
  vi.advanceTimersByTime(1)
  expect(idle).toHaveLength(1)
  const counts = [settled().length]
  while (idle.length > 0) {
    expect(idle).toHaveLength(1)
    idle.shift()!()
    counts.push(settled().length)
  }
  expect(counts).toEqual([0, 0, 1, 2])
})

test.each([
  [{ effectiveType: '2g' }, 0],
  [{ effectiveType: 'slow-2g' }, 0],
  [{ effectiveType: '3g' }, 2],
  [{}, 2],
  [undefined, 2],
])('a slow connection is left to the next click: %o', (connection, files) => {
  onLine(connection)
  page(one)
  fetchCodeAhead(router)
  expect(settled()).toHaveLength(files)
})

test.each([null, ''])('a page without a table of files fetches nothing, and does not fail (%j)', json => {
  page(one, json)
  fetchCodeAhead(router)
  expect(settled()).toEqual([])
})
