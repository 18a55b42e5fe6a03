/**
 * Repeats a call that has an idempotency key while the server restarts or its database moves to another machine (decision 051):
 * thanks to the key it takes effect once, whether or not an earlier attempt did.
 */
import { ApiError } from './apiError.ts'
import { session } from './session.ts'

/** After the last one the person decides; the next press sends the same key. */
const pausesMs = [500, 1_500, 3_000]

const isOffline = () => 'onLine' in navigator && !navigator.onLine

/** The server is busy or restarting, or there is no answer, an incomplete one, or a proxy's page instead. */
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
      // Never repeat it on behalf of somebody who has signed in meanwhile.
      if (signal?.aborted || session.ownerId() !== caller) throw error
    }
  }
  return call()
}
