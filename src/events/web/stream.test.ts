import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import type { Heard } from './stream.ts'

vi.stubGlobal('addEventListener', () => {})
// Without locks, because Node's would be released only by a timer, and the tests have stopped the timers.
vi.stubGlobal('navigator', {})
stubLocalStorage()

const { session } = await import('../../kit/web/session.ts')
const { askOnce, listen } = await import('./stream.ts')

type Init = { headers: Record<string, string>; signal: AbortSignal; cache: string }
type Asked = { address: string; headers: Record<string, string>; cache: string }
let asked: Asked[] = []
let answer: (asked: Asked, signal: AbortSignal) => Response | Promise<Response>
vi.stubGlobal('fetch', (address: string, { headers, signal, cache, ...rest }: Init) => {
  if (address.endsWith('/auth/refresh'))
    return Promise.resolve(Response.json({ accessToken: 'fresh', refreshToken: 'refresh-1' }))
  expect(rest).toEqual({})
  const request = { address, headers, cache }
  asked.push(request)
  return Promise.resolve(answer(request, signal))
})

/** A stream in which the test writes as the server, until it is aborted. */
const streaming = (signal: AbortSignal) => {
  let write: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start: controller => {
      write = controller
      signal.addEventListener('abort', () => controller.error(new Error('aborted')))
    },
  })
  const say = (text: string) => write.enqueue(new TextEncoder().encode(text))
  return { response: new Response(body), say, end: () => write.close() }
}

let heard: Heard[] = []
const own = new AbortController()
const asking = {
  userId: 'ann',
  cursor: undefined as string | undefined,
  signal: own.signal,
  hear: (one: Heard) => heard.push(one),
}
const event = (id: string, name: string, data: object) => `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(performance, 'now').mockReturnValue(4_200)
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh-0',
    user: { id: 'ann', email: 'ann@example.com', name: 'Ann', role: 'TESTER' },
  })
  asked = []
  heard = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
afterAll(() => {
  vi.unstubAllGlobals()
})

test('a stream begins with what may have been missed since the page was loaded, and later with its cursor', async () => {
  answer = () => new Response('')
  await listen(asking)
  await listen({ ...asking, cursor: 'c7' })
  const headers = { accept: 'text/event-stream', authorization: 'Bearer access' }
  expect(asked).toEqual([
    { address: '/api/v1/users/me/events?seconds=25', headers, cache: 'no-store' },
    { address: '/api/v1/users/me/events', headers: { ...headers, 'last-event-id': 'c7' }, cache: 'no-store' },
  ])
})

test('a page that has been open for hours asks for at most ten minutes', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(86_400_000)
  answer = () => new Response('')
  await listen(asking)
  expect(asked[0]!.address).toBe('/api/v1/users/me/events?seconds=600')
})

test('each event is heard as it arrives: its topic, or that something unknown was missed', async () => {
  let say = (_text: string): void => {}
  let end = (): void => {}
  answer = (_, signal) => {
    const stream = streaming(signal)
    ;({ say, end } = stream)
    return stream.response
  }
  const listening = listen(asking)
  await vi.advanceTimersByTimeAsync(0)
  say(': hello\n\n')
  say(event('c1', 'changed', { topic: 'TEST', position: '0A' }))
  say(event('c2', 'reset', { position: 5 }))
  say(event('c3', 'changed', { topic: 'OF_A_LATER_VERSION' }))
  await vi.advanceTimersByTimeAsync(0)
  expect(heard).toEqual([
    { cursor: 'c1', changed: ['TEST'], position: '0A' },
    { cursor: 'c2', changed: null, position: null },
    { cursor: 'c3', changed: ['OF_A_LATER_VERSION'], position: null },
  ])
  end()
  expect(await listening).toBe(true)
})

test('a server that is silent at first is given up, and the stream counts as never begun', async () => {
  answer = (_, signal) => streaming(signal).response
  const listening = listen(asking)
  let over = false
  void listening.then(() => {
    over = true
  })
  await vi.advanceTimersByTimeAsync(9_999)
  expect(over).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await listening).toBe(false)
})

test('a stream that has begun may be silent for 35 seconds', async () => {
  let say = (_text: string): void => {}
  answer = (_, signal) => {
    const stream = streaming(signal)
    ;({ say } = stream)
    return stream.response
  }
  let over: boolean | undefined
  void listen(asking).then(begun => {
    over = begun
  })
  await vi.advanceTimersByTimeAsync(0)
  say(': hello\n\n')
  await vi.advanceTimersByTimeAsync(34_000)
  say(': hello\n\n')
  await vi.advanceTimersByTimeAsync(34_999)
  expect(over).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(over).toBe(true)
})

test('an expired token is refreshed, and the stream is requested again', async () => {
  answer = ({ headers }) => new Response(null, { status: headers.authorization === 'Bearer fresh' ? 204 : 401 })
  await listen(asking)
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer access', 'Bearer fresh'])
})

test.each([
  [200, true],
  [401, false],
  [503, false],
])('the reply to the fresh token is read only if it is a stream: %i', async (status, begun) => {
  const said = event('c1', 'changed', { topic: 'TEST' })
  answer = ({ headers }) => new Response(said, { status: headers.authorization === 'Bearer fresh' ? status : 401 })
  expect(await listen(asking)).toBe(begun)
  expect(heard.map(({ changed }) => changed)).toEqual(begun ? [['TEST']] : [])
  expect(asked).toHaveLength(2)
})

test.each([503, 403])('a reply of %i, and a broken connection, count as no stream', async status => {
  answer = () => new Response('id: c1\nevent: changed\ndata: {"topic":"TEST"}\n\n', { status })
  expect(await listen(asking)).toBe(false)
  answer = () => Promise.reject(new Error('no line'))
  expect(await listen(asking)).toBe(false)
  expect(heard).toEqual([])
})

test('nobody listens in another user’s name', async () => {
  answer = () => new Response('')
  expect(await listen({ ...asking, userId: 'ben' })).toBe(false)
  session.clear()
  expect(await listen(asking)).toBe(false)
  await askOnce(asking)
  expect(asked).toEqual([])
})

test('a user who signs in while a token is refused hears nothing requested for the previous user', async () => {
  const ben = { id: 'ben', email: 'ben@example.com', name: 'Ben', role: 'TESTER' } as const
  answer = ({ headers }) => {
    if (headers.authorization !== 'Bearer access') return new Response(event('c1', 'changed', { topic: 'TEST' }))
    session.signIn({ accessToken: 'bens', refreshToken: 'refresh-9', user: ben })
    return new Response(null, { status: 401 })
  }
  expect(await listen(asking)).toBe(false)
  expect(heard).toEqual([])
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer access'])
})

test('asking once returns what has changed', async () => {
  answer = () =>
    Response.json({ events: [{ topic: 'BUG' }, { topic: 'MONEY' }], cursor: 'c9', reset: false, position: '0B' })
  await askOnce({ ...asking, cursor: 'c8' })
  answer = () => Response.json({ events: [], cursor: 'd1', reset: true, position: null })
  await askOnce({ ...asking, cursor: 'c9' })
  expect(asked.map(({ headers }) => [headers.accept, headers['last-event-id']])).toEqual([
    ['application/json', 'c8'],
    ['application/json', 'c9'],
  ])
  expect(heard).toEqual([
    { cursor: 'c9', changed: ['BUG', 'MONEY'], position: '0B' },
    { cursor: 'd1', changed: null, position: null },
  ])
})

test('asking that fails reports nothing', async () => {
  answer = () => new Response('down', { status: 502 })
  await askOnce(asking)
  answer = () => Promise.reject(new Error('no line'))
  await askOnce(asking)
  expect(heard).toEqual([])
})
