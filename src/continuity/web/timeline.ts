/** Where each run lies on the time axis that all bars share, in percent of its length. */
import { daysAfter, hoursBetween, type Instant } from '../../kit/clock.ts'
import type { Continuity, TesterRun } from '../contract.ts'

export type Axis = { start: Instant; end: Instant }

/** Further back, one bar looks like the next. */
const mostDaysBack = 42

/** From the oldest run that lasts to the day on which the youngest will be complete. */
export const axisOf = ({ testers, requiredDays }: Continuity, now: Instant): Axis => {
  const lasting = testers.filter(({ optedInAt, optedOutAt }) => optedInAt !== null && optedOutAt === null)
  const starts = (lasting.length > 0 ? lasting : testers).flatMap(({ optedInAt }) => optedInAt ?? []).toSorted()
  const back = daysAfter(now, -mostDaysBack)
  const first = starts[0] ?? now
  const complete = daysAfter(starts.at(-1) ?? now, requiredDays)
  return { start: first < back ? back : first, end: complete > now ? complete : now }
}

export const percentAt = ({ start, end }: Axis, at: Instant): number => {
  const percent = (hoursBetween(start, at) / Math.max(hoursBetween(start, end), 1)) * 100
  return Math.min(100, Math.max(0, percent))
}

export type Bar = { from: number; to: number; complete: number }

/** `complete` is where the run reaches its 14 days; for an ended run, where it ended. */
export const barOf = (tester: TesterRun, axis: Axis, requiredDays: number, now: Instant): Bar | null => {
  const { optedInAt, optedOutAt } = tester
  if (optedInAt === null) return null
  const to = percentAt(axis, optedOutAt ?? now)
  const complete = optedOutAt === null ? percentAt(axis, daysAfter(optedInAt, requiredDays)) : to
  return { from: percentAt(axis, optedInAt), to, complete: Math.max(to, complete) }
}

const rankOf = (tester: TesterRun): number => {
  if (tester.counts) return 0
  if (tester.optedInAt === null) return 2
  return tester.optedOutAt === null ? 1 : 3
}

/** The oldest run first; then those that do not count: contested, not opted in yet, ended (the latest first). */
export const inOrder = (testers: readonly TesterRun[]): TesterRun[] =>
  testers.toSorted((a, b) => {
    const byRank = rankOf(a) - rankOf(b)
    if (byRank !== 0) return byRank
    if (rankOf(a) === 3) return (a.optedOutAt ?? '') < (b.optedOutAt ?? '') ? 1 : -1
    return (a.optedInAt ?? '') < (b.optedInAt ?? '') ? -1 : 1
  })
