/**
 * Keeps open screens up to date: learns what has changed, and calls its listener. The one tab of a browser that holds the lock
 * also holds the stream, and passes on what it hears; without locks (on a page without TLS from another host) each tab has its
 * own stream. While no stream can be opened, it asks every few seconds.
 */
import { keepPosition } from '../../kit/web/position.ts'
import { session } from '../../kit/web/session.ts'
import { askOnce, type Changed, type Heard, isTopic, listen } from './stream.ts'

const pollMs = 5_000
const longestPauseMs = 30_000
/** After this many failures in a row, it also asks in between. */
const failuresUntilPolling = 2

type Message = Heard & { userId: string }

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Spread over two seconds after a restart, so the pages of a server do not all reconnect at once. */
const pauseAfter = (failures: number) =>
  failures === 0
    ? 250 + Math.random() * 1_750
    : Math.min(longestPauseMs, 1_000 * 2 ** (failures - 1)) * (0.75 + Math.random() / 2)

type Ears = { userId: string; signal: AbortSignal; cursor: () => string | undefined; hear: (heard: Heard) => void }

const poll = (ears: Ears): Promise<void> => askOnce({ ...ears, cursor: ears.cursor() })

/** Opens one stream after the other. */
const lead = async (ears: Ears): Promise<void> => {
  const { signal } = ears
  for (let failures = 0; !signal.aborted;) {
    const begun = await listen({ ...ears, cursor: ears.cursor() })
    failures = begun ? 0 : failures + 1
    const until = performance.now() + pauseAfter(failures)
    while (!signal.aborted && performance.now() < until) {
      await pause(Math.min(pollMs, until - performance.now()), signal)
      if (failures >= failuresUntilPolling && !signal.aborted) await poll(ears)
    }
  }
}

/** A free lock is granted at once; after this time, another tab must have it. */
const lockMs = 300

/**
 * For a tab that listens to another one: asks for what it missed before that, until it gets a reply. Without a cursor, later
 * requests would not reach back to now.
 */
const catchUp = async (ears: Ears, over: AbortSignal): Promise<void> => {
  const signal = AbortSignal.any([ears.signal, over])
  for (let ms = lockMs; !signal.aborted && ears.cursor() === undefined; ms = pollMs) {
    await pause(ms, signal)
    if (!signal.aborted) await poll(ears)
  }
}

/**
 * Asks when the page is shown again, because browsers suspend tabs in the background, and when the browser is back online,
 * because the stream's connection may have died unnoticed.
 */
const askWhenBack = (ears: Ears): void => {
  const look = () => {
    if (document.visibilityState === 'visible') void poll(ears)
  }
  const { signal } = ears
  document.addEventListener('visibilitychange', look, { signal })
  addEventListener('online', look, { signal })
}

type Listener = {
  onChange: (changed: Changed) => void
  /** A server has replied, so requests that could not be made before can be made now. */
  onReached: () => void
}

/** Follows one user's events until `signal` is aborted. */
const follow = async (userId: string, signal: AbortSignal, { onChange, onReached }: Listener): Promise<void> => {
  let cursor: string | undefined
  const take = ({ changed, position }: Heard) => {
    // Kept by each tab, because what another tab stores is visible here only a moment later.
    keepPosition(position)
    const known = changed && changed.filter(isTopic)
    if (known === null || known.length > 0) onChange(known)
    onReached()
  }
  const hear = (heard: Heard) => {
    ;({ cursor } = heard)
    take(heard)
  }
  const ears: Ears = { userId, signal, cursor: () => cursor, hear }
  if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) {
    askWhenBack(ears)
    return lead(ears)
  }
  const channel = new BroadcastChannel('fieldtest-events')
  channel.addEventListener('message', ({ data: message }: MessageEvent<Message>) => {
    if (message.userId !== userId) return
    // The message's cursor is past what happened while this tab was loading, so the tab must ask for that before it adopts a
    // cursor.
    if (cursor === undefined) take(message)
    else hear(message)
  })
  const hearAndSay = (heard: Heard) => {
    hear(heard)
    const message: Message = { ...heard, userId }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it is of one origin
    channel.postMessage(message)
  }
  const leads = new AbortController()
  // The stream continues from its own tab's cursor, so what that tab learns by asking has to be passed on to the others.
  askWhenBack({ ...ears, hear: heard => (leads.signal.aborted ? hearAndSay : hear)(heard) })
  void catchUp(ears, leads.signal)
  try {
    await navigator.locks.request(`fieldtest-events ${userId}`, { signal }, () => {
      leads.abort()
      return lead({ ...ears, hear: hearAndSay })
    })
  } catch {
    // Only the wait for the lock was aborted.
  } finally {
    channel.close()
  }
}

/** Follows whoever is signed in, now and later. */
export const startLive = (listener: Listener): void => {
  let following: { userId: string; end: AbortController } | undefined
  const change = () => {
    const userId = session.user()?.id
    if (userId === following?.userId) return
    following?.end.abort()
    following = userId === undefined ? undefined : { userId, end: new AbortController() }
    if (following) void follow(following.userId, following.end.signal, listener)
  }
  session.subscribe(change)
  change()
}
