/**
 * "Something has changed": an empty NOTIFY from any server to all, on the connection that listens for ended sessions. Those
 * of a moment go together, and none is sent inside a transaction, where it would make commits wait for each other.
 */
type Send = (channel: string) => Promise<unknown>

/** Those of this time are one. */
const togetherMs = 25

const handlers = new Map<string, () => void>()
const waiting = new Map<string, NodeJS.Timeout>()
let send: Send | undefined

/** Also called when the connection comes back, since signals may have been missed. Before the first connection. */
export const onSignal = (channel: string, handler: () => void): void => {
  handlers.set(channel, handler)
}

export const signalChannels = (): string[] => [...handlers.keys()]

export const receive = (channel: string): void => handlers.get(channel)?.()

/** The connection that sends; none while there is none. */
export const useSender = (next: Send | undefined): void => {
  send = next
  if (next) return
  for (const timer of waiting.values()) clearTimeout(timer)
  waiting.clear()
}

/** Soon, and once for all who ask meanwhile. What is not sent is found by those who look without it. */
export const signal = (channel: string): void => {
  if (!send || waiting.has(channel)) return
  const timer = setTimeout(() => {
    waiting.delete(channel)
    send?.(channel).catch(() => undefined)
  }, togetherMs)
  waiting.set(channel, timer)
}

let afterWrite: (() => void) | undefined

/** What follows each commit of work that may have written. */
export const onWrite = (then: () => void): void => {
  afterWrite = then
}

export const written = (pool: string): void => {
  if (pool !== 'reads' && pool !== 'health') afterWrite?.()
}
