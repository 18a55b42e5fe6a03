/**
 * Time during which the product was down or paused does not count toward people's deadlines (decision 045): they are calculated
 * from the time in which it ran. Pure.
 */
import type { Instant } from './clock.ts'

/** RESTORED: from a restored copy's last heartbeat to its start. PAUSED: jobs were paused, by an admin or by a restore. */
export const downtimeCauses = ['DOWN', 'RESTORED', 'PAUSED'] as const

/** By the product's clock. Some may overlap: a pause goes on while the product is down. */
export type Downtime = { from: Instant; to: Instant }

/**
 * The instant at which this many hours have passed, without the time in which the product did not run. A deadline at the very
 * start of a downtime has passed before it. The SQL function after_downtimes calculates the same.
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

/** Sorted by start, so a downtime within another adds nothing. */
const inOrder = (downtimes: readonly Downtime[]) =>
  downtimes.length < 2 ? downtimes : downtimes.toSorted((a, b) => (a.from < b.from ? -1 : 1))
