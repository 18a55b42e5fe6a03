/**
 * Time during which the product was down or paused counts towards no deadline of a person (decision 045): deadlines are
 * reckoned by the time in which it ran. Pure.
 */
import type { Instant } from './clock.ts'

/** RESTORED: from the last heartbeat of a restored copy to its start. PAUSED: its jobs were, by an admin or by a restore. */
export const downtimeCauses = ['DOWN', 'RESTORED', 'PAUSED'] as const

/** By the product's clock. Some may overlap: a pause goes on while the product is down. */
export type Downtime = { from: Instant; to: Instant }

/**
 * When so many hours have passed since an instant, without those in which the product did not run. What falls on the very
 * start of a downtime has passed before it. The SQL function after_downtimes says the same.
 */
export const hoursAfterDowntimes = (since: Instant, hours: number, downtimes: readonly Downtime[]): Instant => {
  let reached = Date.parse(since)
  let left = hours * 3_600_000
  for (const { from, to } of inOrder(downtimes)) {
    const [start, end] = [Date.parse(from), Date.parse(to)]
    if (end <= reached) continue
    if (reached + left <= start) break
    left -= Math.max(0, start - reached)
    reached = end
  }
  return new Date(reached + left).toISOString()
}

/** By their beginnings: one that lies within another then adds nothing. */
const inOrder = (downtimes: readonly Downtime[]) =>
  downtimes.length < 2 ? downtimes : downtimes.toSorted((a, b) => (a.from < b.from ? -1 : 1))
