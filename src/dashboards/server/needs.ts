/** What waits for the user of a dashboard, most urgent first, and what comes next. */
import { placeRefusal } from '../../backups/server/backups.ts'
import { clock, dayIn, daysAfter, hoursAfter, hoursBetween, type Instant } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import type { Role } from '../../kit/roles.ts'
import { autocommit as db } from '../../kit/server/db.ts'
import { openTestsOf, type OpenTest } from '../../participations/server/participations.ts'
import type { Need, Needs } from '../contract.ts'
import { countsEnd, type NeedKind, needKinds } from '../terms.ts'
import * as queries from './needs.queries.ts'
import { checksRunAt } from './rollups.ts'

/** A payout takes seconds, so one that waits this long is stuck. */
const payoutHours = 1
/** How long failures and outcomes are shown. */
const newsDays = 7
/** After that, hardly any tester still has the app. */
const retestDays = 14
/** How many of a tester's entries are shown one by one. */
const testsShown = 10

const need = (kind: NeedKind, facts: Partial<Need>): Need => ({
  kind,
  count: 1,
  campaign: null,
  testId: null,
  bugId: null,
  user: null,
  severity: null,
  since: null,
  dueAt: null,
  ...facts,
})

const most = (count: number) => Math.min(count, countsEnd)

const ofUsers: readonly NeedKind[] = ['PAYOUT_FAILED', 'PAYOUT_WAITS']

const toNeed = (kind: NeedKind, { count, id, name, ...facts }: queries.NeedRow): Need => {
  const subject =
    id === null
      ? {}
      : ofUsers.includes(kind)
        ? { user: { id, name: name ?? '' } }
        : { campaign: { id, title: name ?? '' } }
  return need(kind, {
    severity: facts.severity,
    since: facts.since,
    dueAt: facts.dueAt,
    ...subject,
    count: most(count),
  })
}

/** Shows the first few of each kind one by one, and the rest as one entry. Fraud reports are one entry for each severity. */
const entriesOf = (rows: readonly queries.NeedRow[]): Need[] => {
  const byKind = Map.groupBy(rows, row => row.kind)
  return needKinds.flatMap(kind => {
    const all = byKind.get(kind) ?? []
    if (kind === 'FRAUD') return all.map(row => toNeed(kind, row))
    const first = all.slice(0, queries.shownOfKind).map(row => toNeed(kind, row))
    const others = all.length - first.length
    return others > 0 ? [...first, need(kind, { count: most(others) })] : first
  })
}

const ofDeveloper = async (developer: SignedIn): Promise<Needs> => {
  const rows = await queries.needsOfDeveloper(db, developer.id, clock.now())
  const at = rows.find(({ kind }) => kind === 'NEXT')?.dueAt ?? null
  return { needs: entriesOf(rows), next: at === null ? null : { kind: 'PROOFS', at } }
}

/** What a test requires of its tester now; null if nothing. */
const kindOf = ({ status, nextStep }: OpenTest): NeedKind | null => {
  switch (nextStep) {
    case 'ACCEPT_NDA':
      return 'NDA'
    case 'OPEN_LINK':
    case 'OPT_IN':
      return 'OPT_IN'
    case 'CHECK_IN':
      return 'CHECK_IN'
    case 'PROOF':
      return status === 'CHANGES_REQUESTED' ? 'CHANGES' : 'PROOF'
    case 'WAIT_FOR_LIST':
    case 'STAY':
    case null:
      return null
  }
}

/** When the next day begins in a time zone, to the minute. */
const tomorrowIn = (timeZone: string, now: Instant): Instant => {
  const today = dayIn(timeZone, now)
  // Days have 23 to 25 hours, so this searches for the first minute of the next day.
  let [from, to] = [now, hoursAfter(now, 26)]
  while (hoursBetween(from, to) > 1 / 60) {
    const middle = hoursAfter(from, hoursBetween(from, to) / 2)
    if (dayIn(timeZone, middle) === today) from = middle
    else to = middle
  }
  return to
}

const earliest = <T extends { at: Instant }>(all: readonly T[]): T | null =>
  all.reduce<T | null>((first, each) => (first === null || each.at < first.at ? each : first), null)

const nextOf = (tests: readonly OpenTest[], now: Instant): Needs['next'] =>
  earliest(
    tests.flatMap(({ status, nextStep, checksInTomorrow, timeZone, proofAllowedAt }) => {
      if (status !== 'ACTIVE' || nextStep === 'WAIT_FOR_LIST' || nextStep === 'ACCEPT_NDA') return []
      const proof =
        proofAllowedAt !== null && proofAllowedAt > now ? [{ kind: 'PROOF' as const, at: proofAllowedAt }] : []
      return checksInTomorrow ? [{ kind: 'CHECK_IN' as const, at: tomorrowIn(timeZone, now) }, ...proof] : proof
    }),
  )

const ofTester = async (tester: SignedIn): Promise<Needs> => {
  const now = clock.now()
  const offers = await queries.offersTo(db, tester.id, now)
  const tests = await openTestsOf(tester.id)
  const retests = await queries.retestsOf(db, tester.id, daysAfter(now, -retestDays))
  const rejections = await queries.rejectionsOf(db, tester.id, { now, newsFrom: daysAfter(now, -newsDays) })
  const ofTests = tests.flatMap(test => {
    const kind = kindOf(test)
    return kind === null ? [] : [need(kind, { testId: test.id, campaign: test.campaign, dueAt: test.deadlineAt })]
  })
  const all = [
    ...offers.map(offer => need('SEAT_OFFER', offer)),
    ...rejections.map(({ kind, ...rejection }) => need(kind, rejection)),
    ...ofTests,
    ...retests.map(retest => need('RETEST', retest)),
  ].toSorted((a, b) => (a.dueAt ?? '9').localeCompare(b.dueAt ?? '9'))
  const others = all.length - testsShown
  const more = others > 0 ? [need('CHECK_IN', { count: most(others) })] : []
  return { needs: [...all.slice(0, testsShown), ...more], next: nextOf(tests, now) }
}

const ofAdmin = async (): Promise<Needs> => {
  const now = clock.now()
  const rows = await queries.needsOfAdmins(db, {
    now,
    payoutsBefore: hoursAfter(now, -payoutHours),
    newsFrom: daysAfter(now, -newsDays),
  })
  // Not in the database: each server knows this only of its own backups.
  const refused = placeRefusal() === null ? [] : [need('BACKUPS_REFUSED', {})]
  const needs = [...entriesOf(rows), ...refused].toSorted(
    (a, b) => needKinds.indexOf(a.kind) - needKinds.indexOf(b.kind),
  )
  return { needs, next: { kind: 'CHECKS', at: checksRunAt(now) } }
}

const ofRole: Record<Role, (user: SignedIn) => Promise<Needs>> = {
  DEVELOPER: ofDeveloper,
  TESTER: ofTester,
  ADMIN: ofAdmin,
}

export const needsOf = (user: SignedIn): Promise<Needs> => ofRole[user.role](user)
