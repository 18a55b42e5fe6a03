/**
 * Keeps open screens true: listens for what has changed, and tells its listener. One tab of a browser holds the stream, the
 * one with the lock, and passes on what it hears; where there are no locks (a page without TLS from another host) each tab has
 * its own. While no stream can be had, it asks every few seconds.
 */
import { keepPosition } from '../../kit/web/position.ts'
import { session } from '../../kit/web/session.ts'
import { type Changed, type Heard, askOnce, listen } from './stream.ts'

const pollMs = 5_000
const longestPauseMs = 30_000
/** After so many failures in a row it also asks meanwhile. */
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

/** Anywhere within two seconds after a restart, so that the pages of a server do not all come back at once. */
const pauseAfter = (failures: number) =>
  failures === 0
    ? 250 + Math.random() * 1_750
    : Math.min(longestPauseMs, 1_000 * 2 ** (failures - 1)) * (0.75 + Math.random() / 2)

type Ears = { userId: string; signal: AbortSignal; cursor: () => string | undefined; hear: (heard: Heard) => void }

const poll = (ears: Ears): Promise<void> => askOnce({ ...ears, cursor: ears.cursor() })

/** One stream after the other. */
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

/** The lock comes at once, or another tab has it. */
const lockMs = 300

/**
 * For a tab that listens to another one: asks for what it missed before it listened, until it has been told once. Without a cursor,
 * later questions would not reach back to now.
 */
const catchUp = async (ears: Ears, over: AbortSignal): Promise<void> => {
  const signal = AbortSignal.any([ears.signal, over])
  for (let ms = lockMs; !signal.aborted && ears.cursor() === undefined; ms = pollMs) {
    await pause(ms, signal)
    if (!signal.aborted) await poll(ears)
  }
}

/**
 * Asks whenever the page is looked at again, since browsers stop tabs in the background, and when the browser is back on a network:
 * the connection of the stream may be dead without a word.
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
  /** A server has answered: what it could not be asked before can be asked now. */
  onReached: () => void
}

/** For one user, until `signal` ends it. */
const follow = async (userId: string, signal: AbortSignal, { onChange, onReached }: Listener): Promise<void> => {
  let cursor: string | undefined
  const take = ({ changed, position }: Heard) => {
    // In each tab: what another one stores is read here only a moment later.
    keepPosition(position)
    if (changed === null || changed.length > 0) onChange(changed)
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
    // Its cursor is beyond what happened while this tab was loading, which has to be asked for first.
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
  // The stream goes on from where the tab with it has come, so that the others have to hear what it was told beside the stream.
  askWhenBack({ ...ears, hear: heard => (leads.signal.aborted ? hearAndSay : hear)(heard) })
  void catchUp(ears, leads.signal)
  try {
    await navigator.locks.request(`fieldtest-events ${userId}`, { signal }, () => {
      leads.abort()
      return lead({ ...ears, hear: hearAndSay })
    })
  } catch {
    // Only the end of waiting for the lock.
  } finally {
    channel.close()
  }
}

/** For whoever is signed in, now and later. */
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
