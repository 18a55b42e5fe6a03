import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import type { Changed } from './stream.ts'

const visibility = new Set<() => void>()
const network = new Set<() => void>()
const listenersIn = (all: Set<() => void>) => (type: string, listener: () => void, more?: { signal?: AbortSignal }) => {
  if (type !== 'visibilitychange' && type !== 'online') return
  all.add(listener)
  more?.signal?.addEventListener('abort', () => all.delete(listener))
}
const page = { visibilityState: 'visible', addEventListener: listenersIn(visibility) }
vi.stubGlobal('document', page)
vi.stubGlobal('addEventListener', listenersIn(network))
stubLocalStorage()

/** Loads the modules anew for each test, because listeners stay until the page is closed. */
const loaded = async () => {
  vi.resetModules()
  const { session } = await import('../../kit/web/session.ts')
  const { currentPosition } = await import('../../kit/web/position.ts')
  const { startLive } = await import('./live.ts')
  return { session, currentPosition, startLive }
}
let session: Awaited<ReturnType<typeof loaded>>['session']
let currentPosition: Awaited<ReturnType<typeof loaded>>['currentPosition']
let startLive: Awaited<ReturnType<typeof loaded>>['startLive']

type Asked = { accept: string; token: string; cursor: string | undefined; at: number }
let asked: Asked[] = []
let startedAt = 0
/** The open streams; the server or their listener can end them. */
let streams: { say: (text: string) => void; end: () => void }[] = []
let refused = false

vi.stubGlobal('fetch', (_: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) => {
  const { accept, authorization, 'last-event-id': cursor } = headers
  asked.push({ accept: accept!, token: authorization!.slice(7), cursor, at: performance.now() - startedAt })
  if (refused) return Promise.resolve(new Response(null, { status: 503 }))
  if (accept === 'application/json')
    return Promise.resolve(Response.json({ events: [{ topic: 'BUG' }], cursor: 'asked', reset: false, position: null }))
  let controller: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start: begun => {
      controller = begun
    },
  })
  const stream = {
    say: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
    end: () => {
      streams = streams.filter(other => other !== stream)
      controller.close()
    },
  }
  streams.push(stream)
  signal.addEventListener('abort', () => {
    if (streams.includes(stream)) stream.end()
  })
  stream.say(': hello\n\n')
  return Promise.resolve(new Response(body))
})

const event = (id: string, topic: string) =>
  `id: ${id}\nevent: changed\ndata: ${JSON.stringify({ topic, position: `00${id}` })}\n\n`
const signIn = (id: string) =>
  session.signIn({
    accessToken: `access-${id}`,
    refreshToken: `refresh-${id}`,
    user: { id, email: `${id}@example.com`, name: id, role: 'TESTER' },
  })
const deaf = { onChange: () => undefined, onReached: () => undefined }
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const opened = () => asked.filter(({ accept }) => accept === 'text/event-stream')
const polled = () => asked.filter(({ accept }) => accept === 'application/json')

beforeEach(async () => {
  ;({ session, currentPosition, startLive } = await loaded())
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  startedAt = performance.now()
  asked = []
  refused = false
  page.visibilityState = 'visible'
  stubLocalStorage()
})
afterEach(async () => {
  session.clear()
  await pass(0)
  vi.useRealTimers()
  vi.restoreAllMocks()
})
afterAll(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

describe('a single tab', () => {
  beforeEach(() => {
    vi.stubGlobal('navigator', {})
  })

  test('hears what changes, and keeps the database’s position', async () => {
    const changes: Changed[] = []
    signIn('ann')
    startLive({ ...deaf, onChange: changed => changes.push(changed) })
    await pass(0)
    streams[0]!.say(event('1', 'MONEY') + event('2', 'UNKNOWN') + 'id: 3\nevent: reset\ndata: {}\n\n')
    await pass(0)
    expect(changes).toEqual([['MONEY'], null])
    expect(currentPosition()).toBe('002')
  })

  test('reconnects soon after its stream ended, with the cursor of the last event', async () => {
    signIn('ann')
    startLive(deaf)
    await pass(0)
    streams[0]!.say(event('7', 'TEST'))
    await pass(0)
    streams[0]!.end()
    await pass(249)
    expect(opened().length).toBe(1)
    await pass(1)
    expect(opened().map(({ cursor }) => cursor)).toEqual([undefined, '7'])
  })

  test('waits longer after each failure, at most half a minute, and asks every five seconds meanwhile', async () => {
    refused = true
    signIn('ann')
    startLive(deaf)
    await pass(120_000)
    const waits = opened().map(({ at }, place, all) => Math.round(at - (all[place - 1]?.at ?? 0)))
    // Three quarters of 1, 2, 4, 8, 16, 30 and 30 seconds.
    expect(waits).toEqual([0, 750, 1500, 3000, 6000, 12_000, 22_500, 22_500, 22_500, 22_500])
    expect(polled()[0]!.at).toBeGreaterThan(750)
    // During the wait of 12 seconds: after 5, 10 and 12.
    const inOne = polled().filter(({ at }) => at > 11_250 && at <= 23_250)
    expect(inOne.map(({ at }) => Math.round(at))).toEqual([16_250, 21_250, 23_250])
  })

  test('asks what it missed when it is shown again, and when the browser is back online', async () => {
    const changes: Changed[] = []
    signIn('ann')
    startLive({ ...deaf, onChange: changed => changes.push(changed) })
    await pass(0)
    streams[0]!.say(event('7', 'TEST'))
    await pass(0)
    for (const look of visibility) look()
    await pass(0)
    for (const back of network) back()
    await pass(0)
    expect([polled().map(({ cursor }) => cursor), changes]).toEqual([
      ['7', 'asked'],
      [['TEST'], ['BUG'], ['BUG']],
    ])
    page.visibilityState = 'hidden'
    for (const back of network) back()
    await pass(0)
    expect(polled().length).toBe(2)
  })

  test('reports every reply of a server, even without news', async () => {
    let reached = 0
    signIn('ann')
    startLive({ ...deaf, onReached: () => reached++ })
    await pass(0)
    streams[0]!.say('id: 7\nevent: ready\ndata: {}\n\n')
    await pass(0)
    expect(reached).toBe(1)
    streams[0]!.end()
    await pass(250)
    streams[0]!.say('id: 7\nevent: ready\ndata: {}\n\n')
    await pass(0)
    expect(reached).toBe(2)
  })

  test('follows the signed-in user, and nobody else', async () => {
    startLive(deaf)
    await pass(10_000)
    expect(asked).toEqual([])
    signIn('ann')
    await pass(0)
    session.update({ ...session.user()!, name: 'Ann Archer' })
    await pass(0)
    expect(opened().map(({ token }) => token)).toEqual(['access-ann'])
    signIn('ben')
    await pass(5000)
    expect(opened().map(({ token }) => token)).toEqual(['access-ann', 'access-ben'])
    expect(streams.length).toBe(1)
    session.clear()
    await pass(60_000)
    expect([streams.length, asked.length]).toEqual([0, 2])
  })
})

describe('several tabs', () => {
  /** Like the browser's locks: one caller at a time holds a lock, the others wait. */
  const locks = () => {
    const held = new Map<string, Promise<unknown>>()
    return {
      request: async (name: string, { signal }: { signal: AbortSignal }, work: () => Promise<void>) => {
        const before = held.get(name)
        const gone = new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
        })
        gone.catch(() => undefined)
        const turn = Promise.resolve(before && Promise.race([before, gone])).then(work)
        held.set(
          name,
          turn.catch(() => undefined),
        )
        return turn
      },
    }
  }
  /** Channels within one process, which deliver at once. */
  class Channel extends EventTarget {
    static readonly open = new Set<Channel>()
    readonly name: string
    constructor(name: string) {
      super()
      this.name = name
      Channel.open.add(this)
    }
    postMessage(data: unknown) {
      for (const other of Channel.open)
        if (other !== this && other.name === this.name) other.dispatchEvent(new MessageEvent('message', { data }))
    }
    close() {
      Channel.open.delete(this)
    }
  }
  beforeEach(() => {
    vi.stubGlobal('navigator', { locks: locks() })
    vi.stubGlobal('BroadcastChannel', Channel)
  })
  afterEach(async () => {
    session.clear()
    await pass(0)
    expect([Channel.open.size, visibility.size, network.size], 'nothing listens any more').toEqual([0, 0, 0])
  })

  const twoTabs = async () => {
    const [first, second]: Changed[][] = [[], []]
    signIn('ann')
    startLive({ ...deaf, onChange: changed => first!.push(changed) })
    startLive({ ...deaf, onChange: changed => second!.push(changed) })
    await pass(0)
    return { first: first!, second: second! }
  }

  test('share one stream, and all of them hear its events', async () => {
    const { first, second } = await twoTabs()
    expect(opened().length).toBe(1)
    streams[0]!.say(event('1', 'NOTICES'))
    await pass(0)
    expect([first, second]).toEqual([[['NOTICES']], [['NOTICES']]])
  })

  test('pass on a topic that only a tab of a newer release knows, and do not stumble over it themselves', async () => {
    const { first, second } = await twoTabs()
    const sent: unknown[] = []
    const newer = new BroadcastChannel('fieldtest-events')
    newer.addEventListener('message', ({ data }: MessageEvent<{ changed: unknown }>) => sent.push(data.changed))
    streams[0]!.say(event('1', 'MADE_UP'))
    await pass(0)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it is of one origin
    newer.postMessage({ userId: 'ann', cursor: '2', changed: ['MADE_UP', 'MONEY'], position: null })
    newer.close()
    await pass(0)
    expect(sent).toEqual([['MADE_UP']])
    expect([first, second]).toEqual([[['MONEY']], [['MONEY']]])
  })

  test('each but the one with the stream asks once for what it missed, and all of them when they are looked at', async () => {
    const { first, second } = await twoTabs()
    await pass(299)
    expect(polled()).toEqual([])
    await pass(1)
    expect([polled().length, first, second]).toEqual([1, [], [['BUG']]])
    page.visibilityState = 'hidden'
    for (const look of visibility) look()
    await pass(0)
    expect(polled().length).toBe(1)
    page.visibilityState = 'visible'
    for (const look of visibility) look()
    await pass(0)
    expect(polled().map(({ cursor }) => cursor)).toEqual([undefined, undefined, 'asked'])
  })

  test('hear what the tab with the stream learns when it is shown, because its stream continues from there', async () => {
    const { first, second } = await twoTabs()
    streams[0]!.say(event('5', 'NOTICES'))
    await pass(300)
    second.length = 0
    const [ofFirst] = visibility
    ofFirst!()
    await pass(0)
    expect([first.at(-1), second]).toEqual([['BUG'], [['BUG']]])
  })

  test('a tab that hears of an event before it has asked still asks for everything that it missed', async () => {
    const { second } = await twoTabs()
    streams[0]!.say(event('5', 'NOTICES'))
    await pass(300)
    expect(second).toEqual([['NOTICES'], ['BUG']])
    // From now on it continues from what it has heard.
    streams[0]!.say(event('6', 'MONEY'))
    await pass(0)
    for (const look of visibility) look()
    await pass(0)
    expect(polled().map(({ cursor }) => cursor)).toEqual([undefined, '6', '6'])
  })

  test('so does a tab that gets the stream before it has asked', async () => {
    const held = Promise.withResolvers<void>()
    const { signal } = new AbortController()
    void navigator.locks.request('fieldtest-events ann', { signal }, () => held.promise)
    signIn('ann')
    startLive(deaf)
    await pass(100)
    const other = new Channel('fieldtest-events')
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it is of one origin
    other.postMessage({ userId: 'ann', cursor: '5', changed: ['NOTICES'], position: null })
    other.close()
    held.resolve()
    await pass(300)
    expect([polled(), opened().map(({ cursor }) => cursor)]).toEqual([[], [undefined]])
  })

  test('do not hear what is meant for another user', async () => {
    const { second } = await twoTabs()
    const third = new Channel('fieldtest-events')
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it is of one origin
    third.postMessage({ userId: 'ben', cursor: 'c', changed: ['MONEY'], position: null })
    third.close()
    expect(second).toEqual([])
  })
})
