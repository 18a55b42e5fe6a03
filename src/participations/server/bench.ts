/**
 * The reserve bench of a full campaign (decision 025): its testers wait in line without a seat, and each freed seat
 * is held for the next of them for 24 hours.
 */
import { assertActive, assertConfirmed, userOf } from '../../accounts/server/accounts.ts'
import { clock, hoursAfter } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import type { Hold } from '../../kit/server/batches.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { deadlines } from '../../kit/server/downtimes.ts'
import { hasTesterList } from '../../campaigns/rules.ts'
import { notice, notifyMany } from '../../notifications/server/notifications.ts'
import type { CampaignTester } from '../contract.ts'
import { wakeAt } from '../deadlines.ts'
import { proofAllowedFrom, refusal } from '../rules.ts'
import { freshSituation } from '../situation.ts'
import { accountTakenMeanwhile, fitsNoLonger, tooManyOpen, whyNotEligible } from '../eligibility.ts'
import * as queries from './bench.queries.ts'
import { campaignToJoin, openTests } from './joining.queries.ts'
import { participationFor } from './queries.ts'
import { askedDevice, ofEntry } from './shown.ts'

/** Why a tester whose entry was there a moment ago got no seat. */
const refusalOf = async (
  tx: Tx,
  tester: SignedIn,
  id: string,
  outcome: Exclude<queries.AcceptOutcome, 'OK'>,
): Promise<DomainError> => {
  switch (outcome) {
    case 'SUSPENDED':
      await assertActive(tx, tester.id)
      return new DomainError('WRONG_STATE', 'Your account was suspended a moment ago. Try again.')
    case 'LIMIT_REACHED':
      return tooManyOpen((await openTests(tx, tester.id)).open)
    case 'NOT_FOUND':
      return new DomainError('WRONG_STATE', 'You are no longer on this bench.')
    case 'WRONG_STATE': {
      const taken = await queries.accountTakenBy(tx, id)
      return taken === null
        ? new DomainError('WRONG_STATE', 'This campaign is not accepting testers at the moment.')
        : accountTakenMeanwhile(taken)
    }
    case 'FULL':
      return new DomainError('WRONG_STATE', 'No seat is free at the moment. We will tell you when one is.')
  }
}

/**
 * What a join checks and may have changed since the tester entered the bench: their country, and whether their address is confirmed.
 * Asked once the tester's row is locked; a refusal rolls the seat back.
 */
const assertStillFits = async (tx: Tx, row: queries.BenchRow): Promise<void> => {
  const { testerId, campaignId } = row
  const [campaign, { country }] = await Promise.all([
    campaignToJoin(tx, testerId, campaignId),
    userOf(tx, testerId),
    assertConfirmed(tx, testerId, 'JOIN'),
  ])
  const problem = whyNotEligible(campaign, { country }, askedDevice(row))
  if (problem) throw fitsNoLonger(problem)
}

/** Takes the seat that is held for the caller, or a free one. The days begin now, or with the NDA or the opt-in. */
export const acceptSeat = async (tx: Tx, tester: SignedIn, id: string): Promise<void> => {
  const now = clock.now()
  const row = await queries.entryOf(tx, tester.id, id)
  // The entry has been accepted before, or never was a bench entry: the lifecycle gives the refusal.
  if (!row) throw refusal('acceptSeat', await participationFor(tx, tester, id), now)!
  const proofAllowedAt = hasTesterList(row.accessMode) ? null : proofAllowedFrom(now, row.durationDays)
  const begins = wakeAt(freshSituation(row, { now, proofAllowedAt }))
  const outcome = await queries.accept(tx, { id, testerId: tester.id }, { proofAllowedAt, wakeAt: begins, now })
  if (outcome !== 'OK') throw await refusalOf(tx, tester, id, outcome)
  await assertStillFits(tx, row)
}

/** Null when the caller is not on the bench under this id. */
export const leaveBench = async (tx: Tx, tester: SignedIn, id: string): Promise<CampaignTester | null> => {
  const row = await queries.entryOf(tx, tester.id, id)
  if (!row || (await queries.leave(tx, id, clock.now())) !== 'OK') return null
  const left = ofEntry({ ...row, offerEndsAt: null })
  return { ...left, status: 'DROPPED', dropReason: 'LEFT', bench: null, closedAt: clock.now(), actions: [] }
}

/** For a tester who was suspended, or whose account is deleted. */
export const leaveAllBenches = (tx: Tx, testerId: string): Promise<number> =>
  queries.leaveAll(tx, testerId, clock.now())

const hourAgo = () => hoursAfter(clock.now(), -1)

/** Passes seats that were not accepted in time to the next in line. Tells testers that a seat is offered to them, or taken back. */
export const turnBenches = deadlines(
  'participations.bench',
  () => {
    const now = clock.now()
    return { load: page => queries.endedOffers(autocommit, now, page), run: passOn }
  },
  () => ({ load: page => queries.untoldPasses(autocommit, page), run: tellOfPasses }),
  () => ({ load: page => queries.untoldOffers(autocommit, page), run: tellOfOffers }),
  () => ({ load: page => queries.lateOffers(autocommit, hourAgo(), page), run: tellOfOffers }),
  () => ({ load: page => queries.takenBackOffers(autocommit, page), run: tellOfTakenBack }),
)

const tellOfPassed = (tx: Tx, offers: readonly queries.Offer[], passed: readonly string[]): Promise<unknown> => {
  const told = new Set(passed)
  const notices = offers
    .filter(({ id }) => told.has(id))
    .map(({ id: testId, testerId, title }) => notice(testerId, 'SEAT_PASSED', { testId, title }))
  return notifyMany(tx, notices)
}

const passOn = async (tx: Tx, offers: readonly queries.Offer[], hold: Hold): Promise<string[]> => {
  const locked = await queries.lockOffers(tx, offers, hold)
  await tellOfPassed(tx, offers, await queries.passSeats(tx, locked, clock.now()))
  return locked
}

const tellOfPasses = async (tx: Tx, offers: readonly queries.Offer[], hold: Hold): Promise<string[]> => {
  const locked = await queries.lockOffers(tx, offers, hold)
  await tellOfPassed(tx, offers, await queries.setPassTold(tx, locked))
  return locked
}

const tellOfOffers = async (tx: Tx, offers: readonly queries.Offer[], hold: Hold): Promise<string[]> => {
  const locked = await queries.lockOffers(tx, offers, hold)
  const now = clock.now()
  const untold = new Map(
    (await queries.setTold(tx, locked, { now, since: hourAgo() })).map(({ id, offerEndsAt }) => [id, offerEndsAt]),
  )
  const notices = offers.flatMap(({ id: testId, testerId, title }) => {
    const endsAt = untold.get(testId)
    return endsAt === undefined ? [] : [notice(testerId, 'SEAT_OFFERED', { testId, title, endsAt })]
  })
  await notifyMany(tx, notices)
  return locked
}

const tellOfTakenBack = async (tx: Tx, offers: readonly queries.Offer[], hold: Hold): Promise<string[]> => {
  const locked = await queries.lockOffers(tx, offers, hold)
  const reasons = new Map((await queries.setTakenBackTold(tx, locked, clock.now())).map(({ id, why }) => [id, why]))
  const notices = offers.flatMap(({ id: testId, testerId, title }) => {
    const why = reasons.get(testId)
    return why === undefined ? [] : [notice(testerId, 'SEAT_TAKEN_BACK', { testId, title, why })]
  })
  await notifyMany(tx, notices)
  return locked
}
