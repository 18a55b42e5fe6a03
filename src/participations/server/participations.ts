/** Participations as users may see them, and what other slices need of them (product.md §3). */
import { clock } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { get as campaignOf } from '../../campaigns/server/campaigns.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type { CampaignTester, ParticipationStatus } from '../contract.ts'
import { aliasOf, allowedActions, deadlineOf, lifecycle, openStatuses } from '../rules.ts'
import * as queries from './queries.ts'

export { remindTesters } from './reminding.ts'
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

/** A participation that the caller may see; any other is not found. */
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

/** Those of the caller's own campaign; another developer's is not found. */
export const ofCampaign = async (
  user: SignedIn,
  campaignId: string,
  query: ListQuery,
): Promise<Page<CampaignTester>> => {
  await campaignOf(user, campaignId)
  return toPage(user, await queries.listOfCampaign(autocommit, campaignId, query), query.limit)
}

/** Drops a suspended tester from every campaign; submitted proofs are still reviewed. */
export const dropForSuspension = async (tx: Tx, testerId: string): Promise<void> => {
  for (const row of await queries.openOf(tx, testerId)) {
    const { id: participationId, developerId, campaignId, campaignTitle: title, ordinal } = row
    const closing = { participationId, from: lifecycle.leave.from, to: 'DROPPED', dropReason: 'SUSPENDED' } as const
    // Anything else has been closed or submitted meanwhile.
    if ((await ledger.closeUnpaid(tx, closing)) !== 'OK') continue
    await notify(tx, developerId, 'TESTER_DROPPED_OWNER', { campaignId, title, alias: aliasOf(ordinal) })
  }
}
