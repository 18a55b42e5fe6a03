/** Participations as users may see them, and what other slices need of them (product.md §3). */
import { clock, hoursAfter, type Instant } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { get as campaignOf } from '../../campaigns/server/campaigns.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notify } from '../../notifications/server/notifications.ts'
import type { CampaignTester, ParticipationStatus } from '../contract.ts'
import { deadlineOf, mayLeavePaidAt, waitingEndsAt, waitingPay } from '../deadlines.ts'
import { dayOfRun, funnelOf, nextStepOf } from '../optIn.ts'
import { aliasOf, allowedActions, lifecycle } from '../rules.ts'
import { openStatuses, runStatuses, waitsForList } from '../situation.ts'
import { contestHours } from '../terms.ts'
import { type Evidence, evidenceOf, pictureSince } from './evidence.ts'
import { leaveAllBenches, ofEntry } from './bench.ts'
import { entriesOf, entryOf } from './bench.queries.ts'
import { runsOf, type RunRow } from './optIn.queries.ts'
import * as queries from './queries.ts'

export { turnBenches } from './bench.ts'
export { remindTesters } from './reminding.ts'
export { setListed } from './listing.ts'
export { wakeParticipations } from './waking.ts'

type Parts = Evidence & { runs: RunRow[] }

const toTester = (
  user: SignedIn,
  row: queries.ParticipationRow,
  { checkIns, proofFiles, optInPictures, runs }: Parts,
): CampaignTester => {
  const now = clock.now()
  const insideOrPaid = row.status === 'VERIFIED' || openStatuses.some(status => status === row.status)
  return {
    ...row,
    alias: aliasOf(row.ordinal),
    bench: null,
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
        : {
            text: row.proofText ?? '',
            links: row.proofLinks,
            attachments: proofFiles,
            submittedAt: row.proofSubmittedAt,
          },
    review: reviewOf(row),
    funnel: funnelOf(row, checkIns[0]?.at ?? null),
    nextStep: nextStepOf(row, now),
    waiting: waitingOf(row),
    run: runOf(row, runs, optInPictures, now),
    runs,
    nudgedAt: user.role === 'TESTER' ? null : row.nudgedAt,
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
      accessMode: row.accessMode,
      groupLink: row.groupLink,
      appliedAt: row.appliedAt,
      features: row.features,
    },
    actions: allowedActions(user.role, row, now),
  }
}

const waitingOf = (row: queries.ParticipationRow): CampaignTester['waiting'] =>
  waitsForList(row)
    ? {
        since: row.joinedAt,
        mayLeaveAt: mayLeavePaidAt(row),
        endsAt: waitingEndsAt(row),
        payCents: waitingPay(row),
      }
    : null

const runOf = (
  row: queries.ParticipationRow,
  runs: readonly RunRow[],
  pictures: Evidence['optInPictures'],
  now: Instant,
): CampaignTester['run'] => {
  const run = runs.find(({ endedAt }) => endedAt === null)
  if (!run || !runStatuses.some(status => status === row.status)) return null
  const before = runs.findLast(({ endedAt }) => endedAt !== null)?.endedAt ?? null
  const { startedAt, confirmedAt, contestedAt, contestReason, contestEndedAt, contestNote } = run
  return {
    startedAt,
    confirmedAt,
    screenshot: pictureSince(pictures, before),
    days: dayOfRun(startedAt, row.timeZone, now),
    contest:
      contestedAt === null
        ? null
        : {
            at: contestedAt,
            reason: contestReason ?? '',
            endedAt: contestEndedAt,
            clearsAt: hoursAfter(contestedAt, contestHours),
            note: contestNote,
          },
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

const withEvidence = async (tx: Tx, user: SignedIn, rows: queries.ParticipationRow[]): Promise<CampaignTester[]> => {
  const ids = rows.map(row => row.id)
  const evidence = await evidenceOf(tx, ids)
  const runs = Map.groupBy(await runsOf(tx, ids), run => run.participationId)
  return rows.map(row => toTester(user, row, { ...evidence(row.id), runs: runs.get(row.id) ?? [] }))
}

/** A participation that the caller may see, or the caller's place on a bench; any other is not found. */
export const get = async (user: SignedIn, id: string): Promise<CampaignTester> => {
  const entry = user.role === 'TESTER' ? await entryOf(autocommit, user.id, id) : undefined
  if (entry) return ofEntry(entry)
  const [tester] = await withEvidence(autocommit, user, [await queries.participationFor(autocommit, user, id)])
  return tester!
}

const toPage = async (
  user: SignedIn,
  rows: queries.ParticipationRow[],
  limit: number,
): Promise<Page<CampaignTester>> => ({
  items: await withEvidence(autocommit, user, rows.slice(0, limit)),
  nextCursor: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null,
})

type ListQuery = { status?: ParticipationStatus | undefined; limit: number; cursor?: string | undefined }

/** Newest first: tests, and places on a bench. */
export const mine = async (tester: SignedIn, query: ListQuery): Promise<Page<CampaignTester>> => {
  const { status, limit } = query
  const onBench = status === undefined || status === 'WAITLISTED'
  const entries = onBench ? (await entriesOf(autocommit, tester.id, query)).map(ofEntry) : []
  const rows = status === 'WAITLISTED' ? [] : await queries.listOwn(autocommit, tester.id, query)
  const tests = await withEvidence(autocommit, tester, rows)
  const items = [...entries, ...tests].toSorted((a, b) => (a.id < b.id ? 1 : -1))
  return { items: items.slice(0, limit), nextCursor: items.length > limit ? (items[limit - 1]?.id ?? null) : null }
}

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
  await leaveAllBenches(tx, testerId)
  for (const row of await queries.openOf(tx, testerId)) {
    const { id: participationId, developerId, campaignId, campaignTitle: title, ordinal } = row
    const closing = { participationId, from: lifecycle.leave.from, to: 'DROPPED', dropReason: 'SUSPENDED' } as const
    // Anything else has been closed or submitted meanwhile.
    if ((await ledger.closeUnpaid(tx, closing)) !== 'OK') continue
    const facts = { campaignId, testId: participationId, title, alias: aliasOf(ordinal) }
    await notify(tx, developerId, 'TESTER_DROPPED_OWNER', facts)
  }
}
