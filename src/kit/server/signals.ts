/**
 * "Something has changed": an empty NOTIFY from any server to all, on the connection that listens for ended sessions. Signals at
 * almost the same time are merged, and none is sent inside a transaction, where it would make commits wait for each other.
 */
type Send = (channel: string) => Promise<unknown>

/** Signals within this time are merged. */
const togetherMs = 25

const handlers = new Map<string, () => void>()
const waiting = new Map<string, NodeJS.Timeout>()
let send: Send | undefined

/**
 * The handler is also called when the connection comes back, since signals may have been missed. Register it before the first
 * connection. Returns what removes it again, unless another has taken its place.
 */
export const onSignal = (channel: string, handler: () => void): (() => void) => {
  handlers.set(channel, handler)
  return () => {
    if (handlers.get(channel) === handler) handlers.delete(channel)
  }
}

export const signalChannels = (): string[] => [...handlers.keys()]

export const receive = (channel: string): void => handlers.get(channel)?.()

/** Sets the connection that sends, or undefined while there is none. */
export const useSender = (next: Send | undefined): void => {
  send = next
  if (next) return
  for (const timer of waiting.values()) clearTimeout(timer)
  waiting.clear()
}

/** Sends a signal soon, one for all requests until then. If it is lost, listeners find the change at their next regular check. */
export const signal = (channel: string): void => {
  if (!send || waiting.has(channel)) return
  const timer = setTimeout(() => {
    waiting.delete(channel)
    send?.(channel).catch(() => undefined)
  }, togetherMs)
  waiting.set(channel, timer)
}

let afterWrite: (() => void) | undefined

/** Sets what is called after each commit that may have written. */
export const onWrite = (then: () => void): void => {
  afterWrite = then
}

export const written = (pool: string): void => {
  if (pool !== 'reads' && pool !== 'health') afterWrite?.()
}
