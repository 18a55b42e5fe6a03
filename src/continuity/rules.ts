/**
 * The fourteen-day clock of a closed test: since when each tester has been opted in without a break, and the earliest date on which
 * the developer can apply for production access. Google requires of a personal account 12 testers who were opted in for the last
 * 14 days; read strictly, the same 12 without a break. Pure; shared by the server and the screens.
 */
import { type Day, dayAfter, dayIn, daysAfter, hoursBetween, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'

const requiredTesters = 12
const requiredDays = 14

/** An unbroken period during which a tester is opted in. `endedAt` is null while it lasts. */
export type Run = {
  startedAt: Instant
  endedAt: Instant | null
  /** The developer contests it, and the contest is not settled. */
  contested: boolean
  /** An admin decided that the opt-in never happened. */
  voided: boolean
}

export type TesterFacts = {
  id: string
  alias: string
  /** Whether the tester is about to be dropped. */
  atRisk: boolean
  /** Oldest first. */
  runs: readonly Run[]
}

type TesterClock = {
  id: string
  alias: string
  /** Start and end of the present run, or of the last one. */
  optedInAt: Instant | null
  optedOutAt: Instant | null
  /** Its whole days, each of 24 hours. */
  runDays: number
  /** True if it lasts and is not contested. */
  counts: boolean
  atRisk: boolean
  /** The earliest date if this tester stops now. */
  earliestDateWithout: Day | null
}

export type Clock = {
  requiredTesters: number
  requiredDays: number
  unbrokenTesters: number
  earliestDate: Day | null
  /** The exact time on that day. */
  earliestAt: Instant | null
  /** The present day of the 12th-oldest unbroken run, 1 to 14; null with fewer than 12. */
  day: number | null
  buffer: number
  testers: TesterClock[]
  aggregateRunDays: number
}

const utcDay = (instant: Instant): Day => dayIn('UTC', instant)

const wholeDays = (from: Instant, to: Instant): number => Math.max(0, Math.floor(hoursBetween(from, to) / 24))

/** The runs that count for the number of testers at any time: neither contested nor voided. */
const countable = (testers: readonly TesterFacts[]): Run[] =>
  testers.flatMap(({ runs }) => runs.filter(run => !run.contested && !run.voided))

const unbroken = (run: Run | undefined): run is Run =>
  run !== undefined && run.endedAt === null && !run.contested && !run.voided

/** When the 12th-oldest of these unbroken runs reaches 14 × 24 hours; null with fewer. */
const earliestOf = (starts: readonly Instant[]): Instant | null => {
  const last = starts.toSorted()[requiredTesters - 1]
  return last === undefined ? null : daysAfter(last, requiredDays)
}

const dayOrNull = (instant: Instant | null): Day | null => (instant === null ? null : utcDay(instant))

const testerClock = (tester: TesterFacts, starts: readonly Instant[], now: Instant): TesterClock => {
  const { id, alias, runs } = tester
  const run = runs.at(-1)
  const counts = unbroken(run)
  const others = counts ? starts.toSpliced(starts.indexOf(run.startedAt), 1) : starts
  return {
    id,
    alias,
    optedInAt: run?.startedAt ?? null,
    optedOutAt: run?.endedAt ?? null,
    runDays: run ? wholeDays(run.startedAt, run.endedAt ?? now) : 0,
    counts,
    atRisk: tester.atRisk && run?.endedAt === null,
    earliestDateWithout: dayOrNull(earliestOf(others)),
  }
}

/**
 * The second reading: 12 or more at once, whoever they are. The whole days of the period that lasts until now; 0 if there are
 * fewer than 12 now. A tester who opts in at the moment another leaves keeps it unbroken.
 */
const aggregateDays = (runs: readonly Run[], now: Instant): number => {
  const changes = new Map<Instant, number>()
  const add = (at: Instant, change: number) => changes.set(at, (changes.get(at) ?? 0) + change)
  for (const { startedAt, endedAt } of runs) {
    add(startedAt, 1)
    if (endedAt !== null) add(endedAt, -1)
  }
  let count = 0
  let since: Instant | null = null
  for (const [at, change] of [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    count += change
    since = count < requiredTesters ? null : (since ?? at)
  }
  return since === null ? 0 : wholeDays(since, now)
}

export const clockOf = (testers: readonly TesterFacts[], now: Instant): Clock => {
  const starts = testers.flatMap(({ runs }) => {
    const run = runs.at(-1)
    return unbroken(run) ? [run.startedAt] : []
  })
  const earliestAt = earliestOf(starts)
  return {
    requiredTesters,
    requiredDays,
    unbrokenTesters: starts.length,
    earliestDate: dayOrNull(earliestAt),
    earliestAt,
    day: earliestAt === null ? null : Math.min(requiredDays, wholeDays(daysAfter(earliestAt, -requiredDays), now) + 1),
    buffer: starts.length - requiredTesters,
    testers: testers.map(tester => testerClock(tester, starts, now)),
    aggregateRunDays: aggregateDays(countable(testers), now),
  }
}

export type PlayCount = { day: Day; count: number; difference: number }

/** How many testers were opted in when that day ended in UTC; for today, how many are now. */
const optedInAtEndOf = (testers: readonly TesterFacts[], day: Day): number => {
  const end = `${dayAfter(day, 1)}T00:00:00.000Z`
  return countable(testers).filter(run => run.startedAt < end && (run.endedAt === null || run.endedAt >= end)).length
}

/** The number that Play Console showed on each day, and how far it is from what testers told us. */
export const comparedWith = (
  testers: readonly TesterFacts[],
  recorded: readonly { day: Day; count: number }[],
): PlayCount[] => recorded.map(({ day, count }) => ({ day, count, difference: count - optedInAtEndOf(testers, day) }))

/** A number from Play Console belongs to a day on which the campaign ran, today at the latest. */
export const assertPlayDay = (day: Day, startDate: Instant, now: Instant): void => {
  const [first, last] = [utcDay(startDate), utcDay(now)]
  if (day >= first && day <= last) return
  const message =
    day > last ? 'This day has not come yet.' : `This day is before the start of the campaign, ${first} in UTC.`
  throw new DomainError('INVALID_INPUT', message, { fields: { day: message } })
}
