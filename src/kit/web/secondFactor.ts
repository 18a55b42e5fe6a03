/**
 * What the server asks about the second factor while somebody is signed in: a step-up, for which a request waits, or setting one
 * up first. The signed-in layout shows both (src/accounts/web/secondFactor).
 */
import type { FactorRequest } from '../secondFactor.ts'
import { session } from './session.ts'

/** A step-up that is shown on screen. */
export type StepUp = { request: FactorRequest; done: (proved: boolean) => void }

const listeners = new Set<() => void>()
let stepUp: StepUp | null = null
let underWay: Promise<boolean> | null = null
let setupMissing = false

const tell = () => {
  for (const listener of listeners) listener()
}

const ask = (request: FactorRequest): Promise<boolean> => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  stepUp = {
    request,
    done: proved => {
      stepUp = null
      underWay = null
      resolve(proved)
      tell()
    },
  }
  tell()
  return promise
}

const setMissing = (missing: boolean) => {
  if (setupMissing === missing) return
  setupMissing = missing
  tell()
}

export const secondFactor = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  stepUp: () => stepUp,
  /** True once the server has refused a call because the admin has no second factor. */
  setupMissing: () => setupMissing,

  /** Resolves with whether it was proved; requests that are refused meanwhile wait for the same dialog. */
  prove: (request: FactorRequest): Promise<boolean> => {
    // Without the signed-in layout nobody could answer.
    if (listeners.size === 0) return Promise.resolve(false)
    underWay ??= ask(request)
    return underWay
  },
  requireSetup: () => setMissing(true),
  finishSetup: () => setMissing(false),
}

let owner = session.user()?.id

session.subscribe(() => {
  if (session.user()?.id === owner) return
  owner = session.user()?.id
  stepUp?.done(false)
  setMissing(false)
})
