/** Load over HTTP by autocannon, and the memory of the process that replies. */
import { readFileSync } from 'node:fs'
// @ts-expect-error -- it has no types
import untypedAutocannon from 'autocannon'

export type Load = {
  url: string
  connections: number
  duration: number
  headers?: Record<string, string>
  method?: 'GET' | 'POST'
  body?: string
  /** Called every second with the number of replies in it. */
  onSecond?: (answers: number) => void
}
export type Measured = { perSecond: number; p99Ms: number }

type Result = { requests: { average: number }; latency: { p99: number }; '4xx': number; '5xx': number; errors: number }
type Running = Promise<Result> & { on: (event: 'tick', seen: (tick: { counter: number }) => void) => void }
const autocannon = untypedAutocannon as (options: object, done?: undefined) => Running

const assertServed = (url: string, result: Result) => {
  const refused = result['4xx'] + result['5xx']
  if (refused + result.errors > 0) throw new Error(`${url}: ${refused} refusals, ${result.errors} errors`)
}

/** A 304 counts as a reply; a refusal ends the measurement. */
export const measure = async ({ onSecond, ...load }: Load): Promise<Measured> => {
  const running = autocannon(load)
  if (onSecond) running.on('tick', ({ counter }) => onSecond(counter))
  const result = await running
  assertServed(load.url, result)
  return { perSecond: result.requests.average, p99Ms: result.latency.p99 }
}

export type Call = { method: 'POST'; path: string; headers: Record<string, string>; body: string }
type Connection = {
  setRequests: (calls: readonly Call[]) => void
  on: (event: 'response', seen: () => void) => void
}

/** Sends each call once. A connection sends its next call when the last one has been answered. Resolves with replies per second. */
export const sendEach = async (url: string, connections: number, calls: readonly Call[]): Promise<number> => {
  const each = Math.ceil(calls.length / connections)
  let next = 0
  let start = 0
  let end = 0
  const setupClient = (connection: Connection) => {
    connection.setRequests(calls.slice(next, next + each))
    connection.on('response', () => (end = performance.now()))
    next += each
    // After the requests of the last connection have been built.
    start = performance.now()
  }
  const shares = Math.ceil(calls.length / each)
  assertServed(url, await autocannon({ url, connections: shares, amount: calls.length, setupClient }))
  return (calls.length / (end - start)) * 1000
}

/** Resident memory of a process, on Linux. */
export const residentMbOf = (pid: number): number => {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb) / 1024
}
