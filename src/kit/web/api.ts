/** The web client of every slice; how a call is made stands in request.ts. */
import type { Endpoint } from '../endpoint.ts'
import { type Call, type Client, makeCall } from './request.ts'

export type CallTable = Record<string, Record<string, Call>>

let table: CallTable = {}

/** Hands in what it takes to make each call. Once, before the first screen is drawn (src/app/web/main.tsx). */
export const provideCalls = (calls: CallTable): void => {
  table = calls
}

const callOf = (contract: string, name: string): Call => {
  const call = table[contract]?.[name]
  if (!call) throw new Error(`There is no call ${contract}.${name}`)
  return call
}

/**
 * One function for each endpoint of a contract: `client<typeof campaignApi>('campaigns').fund({ params, body })`. The
 * name is the contract's in src/app/web/endpointTable.ts, whose test holds every pair of type and name together.
 */
export const client = <T extends Record<string, Endpoint>>(contract: string): Client<T> =>
  new Proxy({} as Client<T>, {
    get: (_target, name) => (input?: Parameters<typeof makeCall>[1]) => makeCall(callOf(contract, String(name)), input),
  })
