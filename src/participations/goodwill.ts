/** What happens to an appeal that no admin decides: the admins are alerted, then the platform pays (decision 039). Pure. */
import { hoursAfter, type Instant } from '../kit/clock.ts'
import { type Downtime, hoursAfterDowntimes } from '../kit/downtimes.ts'
import type { Cents } from '../kit/money.ts'
import { alertDays, goodwillDays, type GoodwillHold, type PublicHold } from './terms.ts'

type Downtimes = readonly Downtime[]

export const goodwillAt = (appealedAt: Instant, downtimes: Downtimes = []): Instant =>
  hoursAfterDowntimes(appealedAt, goodwillDays * 24, downtimes)

/** How many alerts are due by now. If several were missed, only the last one is worth sending. */
export const alertsDue = (appealedAt: Instant, now: Instant, downtimes: Downtimes): number =>
  alertDays.filter(days => now >= hoursAfterDowntimes(appealedAt, days * 24, downtimes)).length

/** How often a payment that is held back is looked at again. */
const againAfterHours = 1

/** When to look at an undecided appeal again. */
export const nextLook = (appealedAt: Instant, now: Instant, downtimes: Downtimes = []): Instant =>
  [...alertDays, goodwillDays]
    .map(days => hoursAfterDowntimes(appealedAt, days * 24, downtimes))
    .find(at => at > now) ?? hoursAfter(now, againAfterHours)

/** What is known about both sides, and what the platform has paid this month. */
export type GoodwillFacts = {
  payCents: Cents
  /** An open fraud report of severity HIGH or above names the tester or the developer. */
  reported: boolean
  testerSuspended: boolean
  paidForDeveloperCents: Cents
  paidInAllCents: Cents
  /** The platform's earnings that are not spent. */
  revenueCents: Cents
}
export type Limits = { goodwillPerDeveloperCents: Cents; goodwillInAllCents: Cents }

/** The pay alone is above a month's limit, which may be 0, so no month pays it. In SQL: heldFor of appeals.queries.ts. */
export const holdAhead = (payCents: Cents, limits: Limits): GoodwillHold | null => {
  if (payCents > limits.goodwillPerDeveloperCents) return 'DEVELOPER_LIMIT'
  return payCents > limits.goodwillInAllCents ? 'TOTAL_LIMIT' : null
}

/** Why the platform does not pay now; null if it does. */
export const holdOf = (facts: GoodwillFacts, limits: Limits): GoodwillHold | null => {
  const { payCents } = facts
  if (facts.reported) return 'FRAUD'
  if (facts.testerSuspended) return 'SUSPENDED'
  if (facts.paidForDeveloperCents + payCents > limits.goodwillPerDeveloperCents) return 'DEVELOPER_LIMIT'
  if (facts.paidInAllCents + payCents > limits.goodwillInAllCents) return 'TOTAL_LIMIT'
  return facts.revenueCents < payCents ? 'REVENUE' : null
}

/** What the two sides are told. It reveals neither whom a fraud report names, nor how much the platform has earned. */
export const publicHoldOf = (hold: GoodwillHold | null): PublicHold | null => {
  if (hold === null) return null
  return hold === 'FRAUD' || hold === 'SUSPENDED' ? 'CHECK' : 'LIMIT'
}
