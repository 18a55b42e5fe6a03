/** A slice's own condition for calls of signed-in users, checked after their role and before the request is read. */
import type { Endpoint, SignedIn } from '../endpoint.ts'
import { during, requestLimits, requestWork } from './limits.ts'

export type Guard = {
  /** Whether there is anything to check; most calls go on at once. */
  concerns: (endpoint: Endpoint, user: SignedIn) => boolean
  /** Throws the refusal. */
  assertMayPass: (endpoint: Endpoint, user: SignedIn) => Promise<void>
}

let guard: Guard | undefined

/** Returns the guard that it replaces. */
export const useGuard = (next: Guard | undefined): Guard | undefined => {
  const previous = guard
  guard = next
  return previous
}

export const assertMayPass = async (endpoint: Endpoint, user: SignedIn): Promise<void> => {
  if (!guard?.concerns(endpoint, user)) return
  await during(requestWork('sessions', requestLimits), () => guard?.assertMayPass(endpoint, user))
}
