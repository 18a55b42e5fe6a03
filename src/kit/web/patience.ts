/**
 * Repeats a call that has an idempotency key while the server restarts or its database moves to another machine (decision 051): the
 * key makes it take effect once, whether or not an earlier try did.
 */
import { ApiError } from './apiError.ts'
import { session } from './session.ts'

/** After that the person decides: the next press has the same key. */
const pausesMs = [500, 1_500, 3_000]

const isOffline = () => 'onLine' in navigator && !navigator.onLine

/** Busy or restarting; no answer, one that broke off, or a proxy's page instead of it. */
const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 503 || error.code === 'NETWORK') && !isOffline()

export const patiently = async <T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
  const caller = session.ownerId()
  for (const pauseMs of pausesMs) {
    try {
      return await call()
    } catch (error) {
      if (!mayPass(error)) throw error
      await new Promise(resolve => setTimeout(resolve, pauseMs))
      // Never in the name of somebody who has signed in meanwhile.
      if (signal?.aborted || session.ownerId() !== caller) throw error
    }
  }
  return call()
}
