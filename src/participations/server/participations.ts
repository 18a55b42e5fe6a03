/** Use cases of participations: a seat taken, days checked in, a proof handed in and reviewed (product.md §3). */
import { randomUUIDv7 } from 'node:crypto'
import { assertActive, userOf } from '../../accounts/server/accounts.ts'
import { auditIfAdmin, type NewAuditEntry } from '../../audit/server/audit.ts'
import { clock, dayIn } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx, violated } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { get as campaignOf } from '../../campaigns/server/campaigns.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { tell } from '../../notifications/server/notifications.ts'
import type {
  CampaignTester,
  DeviceInfo,
  ParticipationAction,
  ParticipationStatus,
  Proof,
  RejectionCode,
} from '../contract.ts'
import {
  aliasOf,
  allowedActions,
  deadlineOf,
  lifecycle,
  openStatuses,
  proofAllowedFrom,
  refusal,
  type Situation,
  wakeAt,
  whyNotEligible,
} from '../rules.ts'
import * as queries from './queries.ts'

export { wakeParticipations } from './waking.ts'

const toTester = (user: SignedIn, row: queries.ParticipationRow, checkIns: queries.CheckInRow[]): CampaignTester => {
  const insideOrPaid = row.status === 'VERIFIED' || openStatuses.some(status => status === row.status)
  return {
    ...row,
    alias: aliasOf(row.ordinal),
    deviceInfo: {
      platform: row.devicePlatform,
      osVersion: row.deviceOsVersion,
      model: row.deviceModel,
      manufacturer: row.deviceManufacturer,
    },
    checkIns,
    proof:
      row.proofSubmittedAt === null
        ? null
        : { text: row.proofText ?? '', links: row.proofLinks, submittedAt: row.proofSubmittedAt },
    review: reviewOf(row),
    atRisk: row.atRisk || (row.status === 'ACTIVE' && row.proofWarned),
    deadlineAt: deadlineOf(row),
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
      distributionLink: user.role !== 'TESTER' || insideOrPaid ? row.distributionLink : null,
    },
    actions: allowedActions(user.role === 'TESTER' ? 'TESTER' : 'REVIEWER', row, clock.now()),
  }
}

const reviewOf = (row: queries.ParticipationRow): CampaignTester['review'] =>
  row.reviewedAt === null
    ? null
    : {
        note: row.reviewNote,
        code: row.rejectionCode,
        reason: row.rejectionReason,
        decidedAt: row.reviewedAt,
        bySilence: row.status === 'VERIFIED' && row.reviewedBy === null,
      }

const withCheckIns = async (tx: Tx, user: SignedIn, rows: queries.ParticipationRow[]): Promise<CampaignTester[]> => {
  const checkIns = Map.groupBy(
    await queries.checkInsOf(
      tx,
      rows.map(row => row.id),
    ),
    checkIn => checkIn.participationId,
  )
  return rows.map(row => toTester(user, row, checkIns.get(row.id) ?? []))
}

/** One that the caller may see; somebody else's is not found. */
export const get = async (user: SignedIn, id: string): Promise<CampaignTester> => {
  const [tester] = await withCheckIns(autocommit, user, [await queries.participationFor(autocommit, user, id)])
  return tester!
}

const toPage = async (
  user: SignedIn,
  rows: queries.ParticipationRow[],
  limit: number,
): Promise<Page<CampaignTester>> => ({
  items: await withCheckIns(autocommit, user, rows.slice(0, limit)),
  nextCursor: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null,
})

type ListQuery = { status?: ParticipationStatus | undefined; limit: number; cursor?: string | undefined }

export const mine = async (tester: SignedIn, query: ListQuery): Promise<Page<CampaignTester>> =>
  toPage(tester, await queries.listOwn(autocommit, tester.id, query), query.limit)

/** Of one's own campaign; somebody else's is not found. */
export const ofCampaign = async (
  user: SignedIn,
  campaignId: string,
  query: ListQuery,
): Promise<Page<CampaignTester>> => {
  await campaignOf(user, campaignId)
  return toPage(user, await queries.listOfCampaign(autocommit, campaignId, query), query.limit)
}

const full = () => new DomainError('CAMPAIGN_FULL', 'All seats of this campaign are taken.')
const joinedBefore = () => new DomainError('ALREADY_JOINED', 'You have joined this campaign before.')

/** What stands in the way of joining, apart from the race for the last seat. */
const assertMayJoin = (campaign: queries.CampaignToJoin) => {
  if (campaign.joinedBefore) throw joinedBefore()
  if (campaign.status !== 'LIVE')
    throw new DomainError('WRONG_STATE', 'This campaign is not live, so you cannot join it.')
  if (campaign.seatsTaken >= campaign.testersRequired) throw full()
}

/** Filters are fixed once a campaign is live, so the device is judged before the seat is taken, and nothing waits for it. */
export const join = async (tester: SignedIn, campaignId: string, device: DeviceInfo): Promise<CampaignTester> => {
  const campaign = await queries.campaignToJoin(autocommit, tester.id, campaignId)
  assertMayJoin(campaign)
  const profile = await userOf(autocommit, tester.id)
  const problem = whyNotEligible(campaign, profile, device)
  if (problem) throw new DomainError('DEVICE_DOES_NOT_FIT', problem, { fields: { deviceInfo: problem } })

  const now = clock.now()
  const proofAllowedAt = proofAllowedFrom(now, campaign.durationDays)
  const fresh: Situation = {
    status: 'ACTIVE',
    joinedAt: now,
    lastSeenAt: now,
    proofAllowedAt,
    proofSubmittedAt: null,
    dailyCheckIn: campaign.dailyCheckIn,
    reviewHours: campaign.reviewHours,
    atRiskHours: campaign.atRiskHours,
    dropHours: campaign.dropHours,
    atRisk: false,
    proofWarned: false,
    timeZone: profile.timeZone,
    lastCheckInDay: null,
  }
  const seat = {
    id: randomUUIDv7(),
    campaignId,
    testerId: tester.id,
    device,
    timeZone: profile.timeZone,
    now,
    proofAllowedAt,
  }
  const taken = await queries.takeSeat(autocommit, { ...seat, wakeAt: wakeAt(fresh)! }).catch((error: unknown) => {
    throw violated(error) === 'participations_campaign_id_tester_id_key' ? joinedBefore() : error
  })
  if (!taken) {
    await assertActive(autocommit, tester.id)
    assertMayJoin(await queries.campaignToJoin(autocommit, tester.id, campaignId))
    throw full()
  }
  return get(tester, seat.id)
}

/** Load and lock, rule, write: what every action on a participation does that moves no money. */
const act = async (
  user: SignedIn,
  id: string,
  action: ParticipationAction,
  write: (tx: Tx, row: queries.ParticipationRow, now: string) => Promise<unknown>,
): Promise<CampaignTester> => {
  await transact(async tx => {
    const row = await queries.lockParticipationFor(tx, user, id)
    const now = clock.now()
    const refused = refusal(action, row, now)
    if (refused) throw refused
    await write(tx, row, now)
  })
  return get(user, id)
}

export const checkIn = (tester: SignedIn, id: string, note: string | undefined): Promise<CampaignTester> =>
  act(tester, id, 'checkIn', (tx, row, now) => {
    const day = dayIn(row.timeZone, now)
    const seen = { ...row, lastSeenAt: now, atRisk: false }
    return queries.insertCheckIn(tx, { participationId: id, day, at: now, note: note || null }, wakeAt(seen))
  })

export const submitProof = (tester: SignedIn, id: string, proof: Proof): Promise<CampaignTester> =>
  act(tester, id, 'submitProof', async (tx, row, now) => {
    const submitted: Situation = { ...row, status: 'SUBMITTED', proofSubmittedAt: now }
    const verifiesAt = wakeAt(submitted)!
    await queries.setProof(tx, id, proof, now, verifiesAt)
    await tell(tx, row.developerId, 'PROOF_TO_REVIEW', {
      campaignId: row.campaignId,
      title: row.campaignTitle,
      alias: aliasOf(row.ordinal),
      verifiesAt,
    })
  })

export const requestChanges = (reviewer: SignedIn, id: string, note: string): Promise<CampaignTester> =>
  act(reviewer, id, 'requestChanges', async (tx, row, now) => {
    const waiting: Situation = { ...row, status: 'CHANGES_REQUESTED', lastSeenAt: now }
    await queries.setChangesRequested(tx, id, { note, reviewerId: reviewer.id, now, wakeAt: wakeAt(waiting) })
    await auditIfAdmin(tx, reviewer, { ...audited('participation.request-changes', id), facts: { note } })
    await tell(tx, row.testerId, 'CHANGES_REQUESTED', {
      testId: id,
      title: row.campaignTitle,
      note,
      hours: row.dropHours,
    })
  })

const audited = (action: NewAuditEntry['action'], subjectId: string): NewAuditEntry => ({
  action,
  subjectType: 'participation',
  subjectId,
})

type MoneyAct = {
  user: SignedIn
  id: string
  action: ParticipationAction
  key: string | null
  asked?: unknown
  /** Letters and the audit entry, before the money's rows are locked. */
  before: (tx: Tx, row: queries.ParticipationRow) => Promise<unknown>
  move: (tx: Tx) => Promise<ledger.Outcome>
}

/** An action that moves money: the rule first, then one SQL function that enforces it under lock. */
const actWithMoney = ({ user, id, action, key, asked, before, move }: MoneyAct): Promise<CampaignTester> =>
  transactOnce({
    userId: user.id,
    key,
    call: action,
    asked: { id, asked },
    subjectId: id,
    effect: async tx => {
      const row = await queries.participationFor(tx, user, id)
      const refused = refusal(action, row, clock.now())
      if (refused) throw refused
      await before(tx, row)
      if ((await move(tx)) === 'OK') return
      // It changed in between: the rule now sees what the function saw.
      throw (
        refusal(action, await queries.participationFor(tx, user, id), clock.now()) ??
        new Error(`${action} ${id} was refused`)
      )
    },
    answer: participationId => get(user, participationId),
  })

export const verify = (reviewer: SignedIn, id: string, key: string | null): Promise<CampaignTester> =>
  actWithMoney({
    user: reviewer,
    id,
    action: 'verify',
    key,
    before: async (tx, { testerId, campaignTitle: title, payPerTesterCents: amountCents }) => {
      await auditIfAdmin(tx, reviewer, audited('participation.verify', id))
      await tell(tx, testerId, 'TEST_VERIFIED', { testId: id, title, amountCents })
    },
    move: tx => ledger.verifyParticipation(tx, id, reviewer.id),
  })

type Rejection = { code: RejectionCode; reason: string }

export const reject = (
  reviewer: SignedIn,
  id: string,
  rejection: Rejection,
  key: string | null,
): Promise<CampaignTester> =>
  actWithMoney({
    user: reviewer,
    id,
    action: 'reject',
    key,
    asked: rejection,
    before: async (tx, { testerId, campaignTitle: title }) => {
      await auditIfAdmin(tx, reviewer, { ...audited('participation.reject', id), facts: rejection })
      await tell(tx, testerId, 'TEST_REJECTED', { testId: id, title, reason: rejection.reason })
    },
    move: tx =>
      ledger.closeUnpaid(tx, {
        participationId: id,
        from: lifecycle.reject.from,
        to: 'REJECTED',
        reviewerId: reviewer.id,
        rejection,
      }),
  })

export const leave = (tester: SignedIn, id: string): Promise<CampaignTester> =>
  actWithMoney({
    user: tester,
    id,
    action: 'leave',
    key: null,
    before: (tx, { developerId, campaignId, campaignTitle: title, ordinal }) =>
      tell(tx, developerId, 'TESTER_DROPPED_OWNER', { campaignId, title, alias: aliasOf(ordinal) }),
    move: tx =>
      ledger.closeUnpaid(tx, { participationId: id, from: lifecycle.leave.from, to: 'DROPPED', dropReason: 'LEFT' }),
  })

/** Takes a suspended tester out of every campaign; a proof that was handed in is still reviewed. */
export const dropForSuspension = async (tx: Tx, testerId: string): Promise<void> => {
  for (const row of await queries.openOf(tx, testerId)) {
    const { id: participationId, developerId, campaignId, campaignTitle: title, ordinal } = row
    const closing = { participationId, from: lifecycle.leave.from, to: 'DROPPED', dropReason: 'SUSPENDED' } as const
    // Anything else: closed, or handed in, in between.
    if ((await ledger.closeUnpaid(tx, closing)) !== 'OK') continue
    await tell(tx, developerId, 'TESTER_DROPPED_OWNER', { campaignId, title, alias: aliasOf(ordinal) })
  }
}
