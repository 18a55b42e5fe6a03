/**
 * The fourteen-day clock of a closed test: since when each tester has been opted in without a break, and the earliest date on which
 * the developer can apply for production access. Google requires of a personal account 12 testers who were opted in for the last
 * 14 days; read strictly, the same 12 without a break. Google counts accounts, so testers who share one count once. Pure; shared
 * by the server and the screens.
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
  /** Stands for the Google account; null where it is not known. */
  account: string | null
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
  /** True if it lasts, is not contested, and is the oldest such run of its Google account. */
  counts: boolean
  /** The aliases of those whose runs last too, with the same Google account. */
  sharesAccountWith: string[]
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

/** What Google counts: the account, or the tester while it is not known. */
const accountOf = ({ account, id }: TesterFacts): string => account ?? id

/** The runs that count for the number of testers at any time: neither contested nor voided. */
const countable = ({ runs }: TesterFacts): Run[] => runs.filter(run => !run.contested && !run.voided)

const unbroken = (run: Run | undefined): run is Run =>
  run !== undefined && run.endedAt === null && !run.contested && !run.voided

/** Of each Google account the oldest unbroken run, with its tester. */
const countedOf = (testers: readonly TesterFacts[]): { id: string; startedAt: Instant }[] => {
  const oldest = new Map<string, { id: string; startedAt: Instant }>()
  for (const tester of testers) {
    const run = tester.runs.at(-1)
    if (!unbroken(run)) continue
    const known = oldest.get(accountOf(tester))
    if (known === undefined || run.startedAt < known.startedAt)
      oldest.set(accountOf(tester), { id: tester.id, startedAt: run.startedAt })
  }
  return [...oldest.values()]
}

/** When the 12th-oldest of these unbroken runs reaches 14 × 24 hours; null with fewer. */
const earliestOf = (counted: readonly { startedAt: Instant }[]): Instant | null => {
  const last = counted.map(({ startedAt }) => startedAt).toSorted()[requiredTesters - 1]
  return last === undefined ? null : daysAfter(last, requiredDays)
}

const dayOrNull = (instant: Instant | null): Day | null => (instant === null ? null : utcDay(instant))

const lasts = ({ runs }: TesterFacts): boolean => runs.at(-1)?.endedAt === null

type Others = { all: readonly TesterFacts[]; counted: readonly { id: string; startedAt: Instant }[] }

const testerClock = (tester: TesterFacts, { all, counted }: Others, now: Instant): TesterClock => {
  const { id, alias, runs } = tester
  const run = runs.at(-1)
  const counts = counted.some(one => one.id === id)
  const sharing = lasts(tester)
    ? all.filter(other => other.id !== id && lasts(other) && accountOf(other) === accountOf(tester))
    : []
  // Whoever shares the account counts in their place.
  const without = counts ? [...counted.filter(one => one.id !== id), ...countedOf(sharing)] : counted
  return {
    id,
    alias,
    optedInAt: run?.startedAt ?? null,
    optedOutAt: run?.endedAt ?? null,
    runDays: run ? wholeDays(run.startedAt, run.endedAt ?? now) : 0,
    counts,
    sharesAccountWith: sharing.map(other => other.alias),
    atRisk: tester.atRisk && lasts(tester),
    earliestDateWithout: dayOrNull(earliestOf(without)),
  }
}

/**
 * The second reading: 12 or more at once, whoever they are. The whole days of the period that lasts until now; 0 if there are
 * fewer than 12 now. A tester who opts in at the moment another leaves keeps it unbroken.
 */
const aggregateDays = (testers: readonly TesterFacts[], now: Instant): number => {
  const changes = testers.flatMap(tester =>
    countable(tester).flatMap(({ startedAt, endedAt }) => {
      const account = accountOf(tester)
      const start = { at: startedAt, account, change: 1 }
      return endedAt === null ? [start] : [start, { at: endedAt, account, change: -1 }]
    }),
  )
  const open = new Map<string, number>()
  let since: Instant | null = null
  for (const [at, those] of [...Map.groupBy(changes, change => change.at)].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    for (const { account, change } of those) {
      const runs = (open.get(account) ?? 0) + change
      if (runs === 0) open.delete(account)
      else open.set(account, runs)
    }
    since = open.size < requiredTesters ? null : (since ?? at)
  }
  return since === null ? 0 : wholeDays(since, now)
}

export const clockOf = (testers: readonly TesterFacts[], now: Instant): Clock => {
  const counted = countedOf(testers)
  const earliestAt = earliestOf(counted)
  return {
    requiredTesters,
    requiredDays,
    unbrokenTesters: counted.length,
    earliestDate: dayOrNull(earliestAt),
    earliestAt,
    day: earliestAt === null ? null : Math.min(requiredDays, wholeDays(daysAfter(earliestAt, -requiredDays), now) + 1),
    buffer: counted.length - requiredTesters,
    testers: testers.map(tester => testerClock(tester, { all: testers, counted }, now)),
    aggregateRunDays: aggregateDays(testers, now),
  }
}

export type PlayCount = { day: Day; count: number; difference: number }

/** How many Google accounts were opted in when that day ended in UTC; for today, how many are now. */
const optedInAtEndOf = (testers: readonly TesterFacts[], day: Day): number => {
  const end = `${dayAfter(day, 1)}T00:00:00.000Z`
  const inside = testers.filter(tester =>
    countable(tester).some(run => run.startedAt < end && (run.endedAt === null || run.endedAt >= end)),
  )
  return new Set(inside.map(accountOf)).size
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
    day > last ? 'This day is in the future.' : `This day is before the start of the campaign, ${first} in UTC.`
  throw new DomainError('INVALID_INPUT', message, { fields: { day: message } })
}
