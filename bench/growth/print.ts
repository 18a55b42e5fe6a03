/** The table of a run, with the missed targets. */
import type { Measured } from './measured.ts'

export type Compared = {
  kind: 'read' | 'search' | 'write'
  call: string
  who: string
  query: string
  small: Measured
  big: Measured
  /** How milliseconds and buffers grow. Only the milliseconds depend on the load of the machine. */
  growth: number
  buffersGrowth: number
  misses: string[]
}

/** Ratios of smaller values mean little: a tree that is one level deeper costs a buffer more for each look-up. */
const floor = { ms: 2, buffers: 60 }
const limits = { read: 1.3, search: 2, write: 1.3, pageMs: 50, reportMs: 500 }

const ratio = (big: number, small: number, least: number) => Math.max(big, least) / Math.max(small, least)

export const compare = (kind: 'read' | 'write', small: readonly Measured[], big: readonly Measured[]): Compared[] => {
  const keyOf = ({ call, who, query }: Measured) => `${call} ${who} ${query.replace(/cursor=.*|page=.*/, 'late')}`
  const smallOnes = new Map(small.map(one => [keyOf(one), one]))
  return big.flatMap(one => {
    const before = smallOnes.get(keyOf(one))
    if (!before) return []
    const isSearch = /[?&](search|admin)=/.test(one.query)
    const growth = ratio(one.ms, before.ms, floor.ms)
    const buffersGrowth = ratio(one.buffers, before.buffers, floor.buffers)
    const most = isSearch ? limits.search : limits[kind]
    const msLimit = one.report ? limits.reportMs : limits.pageMs
    const misses = [
      // Growth must show in the buffers too, because they do not depend on the load of the machine.
      ...(Math.min(growth, buffersGrowth) > most ? ['growth'] : []),
      ...(one.slowestMs > msLimit && one.ms > msLimit ? [`over ${msLimit} ms`] : []),
      ...(one.status >= 500 ? [`${one.status}`] : []),
    ]
    const name = { call: one.call, who: one.who, query: one.query.replace(/cursor=.*/, 'cursor=…') }
    return [{ kind: isSearch ? 'search' : kind, ...name, small: before, big: one, growth, buffersGrowth, misses }]
  })
}

const figure = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))

/** A Markdown table: first the rows that miss a target, then the most expensive of each call. */
export const tableOf = (compared: readonly Compared[]): string[] => {
  const dearest = new Map<string, Compared>()
  for (const one of compared) {
    const key = `${one.call} ${one.who}`
    if ((dearest.get(key)?.big.buffers ?? -1) < one.big.buffers) dearest.set(key, one)
  }
  const shown = compared.filter(one => one.misses.length > 0 || dearest.get(`${one.call} ${one.who}`) === one)
  const sorted = shown.toSorted(
    (a, b) => Number(b.misses.length > 0) - Number(a.misses.length > 0) || b.big.buffers - a.big.buffers,
  )
  return [
    '| call | as | query | statements | small ms | big ms | growth | small buffers | big buffers | growth | misses |',
    '|---|---|---|--:|--:|--:|--:|--:|--:|--:|---|',
    ...sorted.map(({ call, who, query, small, big, growth, buffersGrowth, misses }) => {
      const ms = `${figure(small.ms)} | ${figure(big.ms)} | ${growth.toFixed(1)}`
      const buffers = `${small.buffers} | ${big.buffers} | ${buffersGrowth.toFixed(1)}`
      return `| ${call} | ${who} | ${query || '–'} | ${big.statements} | ${ms} | ${buffers} | ${misses.join(', ') || '–'} |`
    }),
  ]
}

/** For each call, the plans of the big database that read much of a table. */
export const wholeReadsOf = (compared: readonly Compared[]): string[] => {
  const byCall = new Map<string, Set<string>>()
  for (const { call, big } of compared) {
    const set = byCall.get(call) ?? new Set()
    for (const read of big.wholeReads) set.add(read)
    if (set.size > 0) byCall.set(call, set)
  }
  return [...byCall].flatMap(([call, reads]) => [`${call}:`, ...[...reads].map(read => `  ${read}`)])
}
