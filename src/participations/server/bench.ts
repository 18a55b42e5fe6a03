/**
 * The reserve bench of a full campaign (decision 025): its testers wait in line without a seat, and each freed seat
 * is held for the next of them for 24 hours.
 */
import { clock } from '../../kit/clock.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { eachDue, type Job } from '../../kit/server/jobs.ts'
import { hasTesterList } from '../../campaigns/rules.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type { CampaignTester } from '../contract.ts'
import { wakeAt } from '../deadlines.ts'
import { proofAllowedFrom, refusal } from '../rules.ts'
import { freshSituation } from '../situation.ts'
import * as queries from './bench.queries.ts'
import { participationFor } from './queries.ts'

/** How an entry looks among the tester's tests: no seat, no days, no pay yet. */
export const ofEntry = (row: queries.BenchRow): CampaignTester => ({
  ...row,
  status: 'WAITLISTED',
  alias: 'On the bench',
  payoutAmountCents: 0,
  joinedAt: row.enteredAt,
  deviceInfo: {
    platform: row.devicePlatform,
    osVersion: row.deviceOsVersion,
    model: row.deviceModel,
    manufacturer: row.deviceManufacturer,
  },
  bench: { line: row.line, offerEndsAt: row.offerEndsAt },
  checkIns: [],
  proofAllowedAt: null,
  proof: null,
  review: null,
  funnel: null,
  nextStep: null,
  waiting: null,
  run: null,
  runs: [],
  optOuts: 0,
  optedOutAt: null,
  nudgedAt: null,
  changesRequested: 0,
  atRisk: false,
  deadlineAt: row.offerEndsAt,
  dropReason: null,
  closedAt: null,
  campaign: {
    id: row.campaignId,
    title: row.campaignTitle,
    platform: row.campaignPlatform,
    status: row.campaignStatus,
    durationDays: row.durationDays,
    payPerTesterCents: row.payPerTesterCents,
    dailyCheckIn: row.dailyCheckIn,
    reviewHours: row.reviewHours,
    atRiskHours: row.atRiskHours,
    dropHours: row.dropHours,
    distributionLink: null,
    accessMode: row.accessMode,
    groupLink: row.groupLink,
    appliedAt: null,
    features: row.features,
  },
  actions: mayAccept(row) ? ['acceptSeat', 'leave'] : ['leave'],
})

const mayAccept = ({ campaignStatus, offerEndsAt, freeSeats }: queries.BenchRow) =>
  campaignStatus === 'LIVE' && (offerEndsAt !== null || freeSeats > 0)

const noSeat = () => new DomainError('WRONG_STATE', 'No seat is free at the moment. We tell you when one is.')
const refusals: Record<Exclude<queries.AcceptOutcome, 'OK'>, () => DomainError> = {
  // It was there a moment ago.
  NOT_FOUND: () => new DomainError('WRONG_STATE', 'You are no longer on this bench.'),
  SUSPENDED: () => new DomainError('SUSPENDED', 'Your account is suspended.'),
  LIMIT_REACHED: () =>
    new DomainError('LIMIT_REACHED', 'You have as many open tests as are possible. Finish or leave one first.'),
  WRONG_STATE: () => new DomainError('WRONG_STATE', 'This campaign takes no testers at the moment.'),
  FULL: noSeat,
}

/** After accepting once, or for a test that never was on a bench: what the lifecycle says. */
const notOnBench = async (tester: SignedIn, id: string) =>
  refusal('acceptSeat', await participationFor(autocommit, tester, id), clock.now())!

/** Takes the seat that is held for the caller, or one that is free. The days begin now, or with the opt-in. */
export const acceptSeat = async (tester: SignedIn, id: string): Promise<void> => {
  await transact(async tx => {
    const row = await queries.entryOf(tx, tester.id, id)
    if (!row) throw await notOnBench(tester, id)
    const now = clock.now()
    const proofAllowedAt = hasTesterList(row.accessMode) ? null : proofAllowedFrom(now, row.durationDays)
    const begins = wakeAt(freshSituation(row, { now, proofAllowedAt }))
    const outcome = await queries.accept(tx, { id, testerId: tester.id }, { proofAllowedAt, wakeAt: begins, now })
    if (outcome !== 'OK') throw refusals[outcome]()
  })
}

/** Null when the caller is not on the bench under this id. */
export const leaveBench = (tester: SignedIn, id: string): Promise<CampaignTester | null> =>
  transact(async tx => {
    const row = await queries.entryOf(tx, tester.id, id)
    if (!row || (await queries.leave(tx, id, clock.now())) !== 'OK') return null
    const left = ofEntry({ ...row, offerEndsAt: null })
    return { ...left, status: 'DROPPED', dropReason: 'LEFT', bench: null, closedAt: clock.now(), actions: [] }
  })

/** Of somebody who was suspended, or whose account goes. */
export const leaveAllBenches = async (tx: Tx, testerId: string): Promise<void> => {
  for (const { id } of await queries.idsOf(tx, testerId)) await queries.leave(tx, id, clock.now())
}

/** Thrown to roll back a notification about what has changed meanwhile. */
class Overtaken extends Error {}
const unlessOvertaken = (work: Promise<void>) =>
  work.catch((error: unknown) => {
    if (!(error instanceof Overtaken)) throw error
  })

/** Seats that were not accepted in time go to the next, and whoever is offered one is told. */
export const turnBenches: Job<object> = {
  name: 'participations.bench',
  cron: '* * * * *',
  expireMinutes: 120,
  retried: false,
  run: async () => {
    await eachDue(
      page => queries.endedOffers(autocommit, clock.now(), page),
      ({ id, testerId, title }) =>
        unlessOvertaken(
          transact(async tx => {
            await notify(tx, testerId, 'SEAT_PASSED', { testId: id, title })
            if ((await queries.pass(tx, id, clock.now())) !== 'OK') throw new Overtaken()
          }),
        ),
    )
    await eachDue(
      page => queries.untoldOffers(autocommit, page),
      offer =>
        transact(async tx => {
          const { id: testId, testerId, title, offerEndsAt: endsAt } = offer
          if (await queries.setTold(tx, offer)) await notify(tx, testerId, 'SEAT_OFFERED', { testId, title, endsAt })
        }),
    )
  },
}
