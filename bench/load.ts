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

/** A 304 counts as a reply; a refusal ends the measurement. */
export const measure = async ({ onSecond, ...load }: Load): Promise<Measured> => {
  const running = autocannon(load)
  if (onSecond) running.on('tick', ({ counter }) => onSecond(counter))
  const result = await running
  const refused = result['4xx'] + result['5xx']
  if (refused + result.errors > 0) throw new Error(`${load.url}: ${refused} refusals, ${result.errors} errors`)
  return { perSecond: result.requests.average, p99Ms: result.latency.p99 }
}

/** Resident memory of a process, on Linux. */
export const residentMbOf = (pid: number): number => {
  const kb = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb) / 1024
}
