import { QueryObserver } from '@tanstack/react-query'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../kit/web/query.ts'
import { session } from '../../kit/web/session.ts'

let say: ((name: string, data: object) => void) | undefined
vi.stubGlobal('fetch', () => {
  const text = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: stream => {
      say = (name, data) => stream.enqueue(text.encode(`id: 1\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`))
      stream.enqueue(text.encode(': hello\n\n'))
    },
  })
  return Promise.resolve(new Response(body))
})

const changed = (topic: string) => say!('changed', { topic })
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const keys = [
  ['ledger', 'balance'],
  ['notifications', 'list'],
  ['accounts', 'me'],
]
const outOfDate = () =>
  keys.filter(key => queryClient.getQueryState(key)?.isInvalidated === true).map(([slice]) => slice)
const freshen = () => keys.forEach(key => queryClient.setQueryData(key, {}))
const look = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

// Listens for as long as the page lives.
beforeAll(async () => {
  vi.useFakeTimers()
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 'u1', email: 'u1@example.com', name: 'Uma', role: 'TESTER' },
  })
  await import('./live.ts')
  await vi.waitFor(() => expect(say).toBeDefined())
  await pass(0)
})
beforeEach(freshen)
afterEach(async () => {
  vi.restoreAllMocks()
  await pass(1_000)
  queryClient.clear()
})
afterAll(async () => {
  session.clear()
  await pass(0)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('what changes elsewhere becomes stale a moment later, and nothing else does', async () => {
  changed('MONEY')
  await pass(99)
  expect(outOfDate()).toEqual([])
  await pass(1)
  expect(outOfDate()).toEqual(['ledger'])
})

test('simultaneous changes are handled together', async () => {
  changed('MONEY')
  await pass(50)
  changed('NOTICES')
  await pass(50)
  expect(outOfDate()).toEqual(['ledger', 'notifications'])
})

test('if it is unknown what was missed, everything becomes stale', async () => {
  say!('reset', {})
  await pass(100)
  expect(outOfDate()).toEqual(['ledger', 'notifications', 'accounts'])
})

test.each(['changed', 'reset'])(
  'further changes wait for the answers to the earlier ones, and for a pause after them (%s)',
  async name => {
    const answer = Promise.withResolvers<object>()
    const observer = new QueryObserver(queryClient, {
      queryKey: ['ledger', 'balance'],
      queryFn: () => answer.promise,
      staleTime: Infinity,
    })
    const leave = observer.subscribe(() => {})
    say!(name, { topic: 'MONEY' })
    await pass(200)
    changed('NOTICES')
    freshen()
    await pass(1_000)
    expect(outOfDate()).toEqual([])
    answer.resolve({})
    await pass(0)
    await pass(399)
    expect(outOfDate()).toEqual([])
    await pass(1)
    expect(outOfDate()).toEqual(['notifications'])
    leave()
  },
)

test('a page in the background waits until it is visible, and then reloads at once', async () => {
  look('hidden')
  changed('MONEY')
  await pass(60_000)
  expect(outOfDate()).toEqual([])
  look('visible')
  await pass(0)
  expect(outOfDate()).toEqual(['ledger'])
})
