/** The web client of every slice; request.ts makes the calls. */
import type { Endpoint, Method } from '../endpoint.ts'
import { withIdempotencyKey } from './idempotencyKeys.ts'
import { patiently } from './patience.ts'
import { type Answers, type AnyInput, type Call, type Client, makeCall } from './request.ts'
import { session } from './session.ts'

/** A call without property names, because every page loads about two hundred. */
export type CallRow = readonly [method: Method, path: string, answers: Answers | '', open: 0 | 1, idempotent: 0 | 1]

export type CallTable = Record<string, Record<string, CallRow>>

let table: CallTable = {}

/** Provides the table of calls. Call it once, before the first screen is drawn (src/app/web/main.tsx). */
export const provideCalls = (calls: CallTable): void => {
  table = calls
}

export const callOf = (contract: string, name: string): Call => {
  const row = table[contract]?.[name]
  if (!row) throw new Error(`There is no call ${contract}.${name}`)
  const [method, path, answers, open, idempotent] = row
  return { method, path, answers: answers || undefined, open: open > 0, idempotent: idempotent > 0 }
}

const callWithKey = (call: Call, input: AnyInput = {}) => {
  if (input.idempotencyKey) return patiently(() => makeCall(call, input), input.signal)
  const { params, query, body } = input
  const request = JSON.stringify([session.user()?.id, call.method, call.path, params, query, body])
  return withIdempotencyKey(request, idempotencyKey =>
    patiently(() => makeCall(call, { ...input, idempotencyKey }), input.signal),
  )
}

/**
 * One function for each endpoint of a contract: `client<typeof campaignApi>('campaigns').fund({ params, body })`. The name is the
 * contract's in src/app/web/endpointTable.ts, whose test checks that types and names match. Idempotency keys are added here,
 * unless the caller keeps its own across reloads.
 */
export const client = <T extends Record<string, Endpoint>>(contract: string): Client<T> =>
  new Proxy({} as Client<T>, {
    get: (_target, name) => (input?: AnyInput) => {
      const call = callOf(contract, String(name))
      return call.idempotent ? callWithKey(call, input) : makeCall(call, input)
    },
  })
