/** A slice's own condition for calls of signed-in users, asked after their role and before the request is read. */
import type { Endpoint, SignedIn } from '../endpoint.ts'

/** Throws the refusal. */
export type Guard = (endpoint: Endpoint, user: SignedIn) => Promise<void>

let guard: Guard = async () => undefined

export const useGuard = (next: Guard): void => {
  guard = next
}

export const assertMayPass: Guard = (endpoint, user) => guard(endpoint, user)
