/** A participation, or a bench entry, as users may see it (product.md §3). */
import type { AttachmentRow } from '../../attachments/server/attachments.ts'
import { clock, type Instant } from '../../kit/clock.ts'
import { hoursAfterDowntimes } from '../../kit/downtimes.ts'
import { type Cents, proRata } from '../../kit/money.ts'
import { hasTesterList } from '../../campaigns/rules.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import type { CampaignTester, DeviceInfo } from '../contract.ts'
import {
  deadlineOf,
  leavesPaid,
  mayLeavePaidAt,
  proofDueAt,
  waitingEndsAt,
  waitingPay,
  waitingSince,
} from '../deadlines.ts'
import { seatWaits, whyNotAccept } from '../eligibility.ts'
import { goodwillAt, publicHoldOf } from '../goodwill.ts'
import { dayOfRun, funnelOf, mayReportNoAccessAt, nextStepOf } from '../optIn.ts'
import { aliasOf, allowedActions, checkInsThatCount, counts, daysDone, refusal } from '../rules.ts'
import {
  begunAt,
  isProofWarned,
  lastingRunStatuses,
  linkWaitsForNda,
  openStatuses,
  waitsForList,
} from '../situation.ts'
import { contestHours } from '../terms.ts'
import type { BenchRow } from './bench.queries.ts'
import { evidenceOf, pictureSince } from './evidence.ts'
import type { ParticipationRow, SharedRow, WholeRow } from './rows.ts'

const deviceOf = (row: SharedRow): CampaignTester['deviceInfo'] => ({
  platform: row.devicePlatform,
  osVersion: row.deviceOsVersion,
  model: row.deviceModel,
  manufacturer: row.deviceManufacturer,
})

/** As the tester gave it on joining. */
export const askedDevice = ({ devicePlatform, deviceOsVersion, deviceModel }: SharedRow): DeviceInfo => ({
  model: deviceModel,
  ...(devicePlatform !== null && { platform: devicePlatform }),
  ...(deviceOsVersion !== null && { osVersion: deviceOsVersion }),
})

const campaignOf = (row: SharedRow & { campaignId: string }) => ({
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
  accessMode: row.accessMode,
  groupLink: row.groupLink,
  features: row.features,
})

/** A test, as the caller may see it. */
export const toTester = (user: SignedIn, row: WholeRow): CampaignTester => {
  const now = clock.now()
  const { checkIns, proofFiles, optInPictures, appealFiles } = evidenceOf(row)
  const insideOrPaid = row.status === 'VERIFIED' || openStatuses.some(status => status === row.status)
  return {
    ...row,
    alias: aliasOf(row.ordinal),
    bench: null,
    begunAt: shownBegunAt(row),
    deviceInfo: deviceOf(row),
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
    appeal: appealShown(row, appealFiles),
    // For the tester nothing has changed: the proof is in review.
    consentRequest: user.role === 'TESTER' ? null : row.consentRequest,
    funnel: funnelOf(row, checkInsThatCount(checkIns)[0]?.at ?? null),
    nextStep: nextStepOf(row, now),
    waiting: waitingOf(row),
    noAccess: noAccessOf(row),
    run: runOf(row, optInPictures, now),
    nda: ndaOf(row, now),
    nudgedAt: user.role === 'TESTER' ? null : row.nudgedAt,
    atRisk: row.atRisk || isProofWarned(row),
    deadlineAt: deadlineOf(row),
    proofDueAt: proofDueAt(row),
    campaign: {
      ...campaignOf(row),
      distributionLink: user.role !== 'TESTER' || (insideOrPaid && !linkWaitsForNda(row)) ? row.distributionLink : null,
      groupLink: user.role === 'TESTER' && linkWaitsForNda(row) ? null : row.groupLink,
      appliedAt: row.appliedAt,
    },
    actions: allowedActions(user.role, row, now),
  }
}

const shownBegunAt = (row: WholeRow): Instant | null => (hasTesterList(row.accessMode) ? null : begunAt(row))

/** The NDA as the tester sees it. `refusalPayCents` is null unless the tester may still refuse. */
const ndaOf = (row: WholeRow, now: Instant): CampaignTester['nda'] => {
  const { ndaVersion, ndaAccepted } = row
  if (ndaVersion === null) return null
  const refused = refusal('refuseNda', row, now)
  return { version: ndaVersion, accepted: ndaAccepted, refusalPayCents: refused ? null : refusalPay(row, now) }
}

/** What refusing pays now, as refuse_nda does: the days done, or the wait for the tester list. */
const refusalPay = (row: WholeRow, now: Instant): Cents => {
  if (leavesPaid(row, now)) return waitingPay(row)
  const { accessMode, dailyCheckIn, durationDays } = row
  const spans = hasTesterList(accessMode)
    ? row.runs.filter(counts)
    : [{ startedAt: begunAt(row) ?? now, endedAt: null }]
  const days = daysDone(
    { dailyCheckIn, checkIns: checkInsThatCount(evidenceOf(row).checkIns).length, spans, durationDays },
    now,
  )
  return proRata(row.payPerTesterCents, days, durationDays)
}

const waitingOf = (row: ParticipationRow): CampaignTester['waiting'] =>
  waitsForList(row)
    ? {
        since: waitingSince(row),
        mayLeaveAt: mayLeavePaidAt(row),
        endsAt: waitingEndsAt(row),
        payCents: waitingPay(row),
      }
    : null

const noAccessOf = (row: ParticipationRow): CampaignTester['noAccess'] =>
  hasTesterList(row.accessMode)
    ? {
        reports: row.noAccessReports,
        at: row.noAccessAt,
        problem: row.noAccessProblem,
        mayReportAt: mayReportNoAccessAt(row),
      }
    : null

const runOf = ({ runs, ...row }: WholeRow, pictures: readonly AttachmentRow[], now: Instant): CampaignTester['run'] => {
  const run = runs.find(({ endedAt }) => endedAt === null)
  if (!run || !lastingRunStatuses.some(status => status === row.status)) return null
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
            clearsAt: hoursAfterDowntimes(contestedAt, contestHours, row.downtimes),
            note: contestNote,
          },
  }
}

const appealShown = ({ appeal, downtimes }: WholeRow, attachments: AttachmentRow[]): CampaignTester['appeal'] => {
  if (appeal === null) return null
  const { heldFor, ...said } = appeal
  const goodwill =
    appeal.outcome === null ? { at: goodwillAt(appeal.at, downtimes), hold: publicHoldOf(heldFor) } : null
  return { ...said, attachments, goodwill }
}

const isByPlatform = ({ appeal }: WholeRow) => appeal?.outcome === 'PLATFORM'

const reviewOf = (row: WholeRow): CampaignTester['review'] =>
  row.reviewedAt === null
    ? null
    : {
        note: row.reviewNote,
        code: row.rejectionCode,
        reason: row.rejectionReason,
        decidedAt: row.reviewedAt,
        byPlatform: isByPlatform(row),
        byAdmin: row.reviewedBy !== null && row.reviewedBy !== row.developerId,
        bySilence: row.status === 'VERIFIED' && row.reviewedBy === null && !isByPlatform(row),
      }

const obstacleOf = (row: BenchRow) => whyNotAccept({ ...row, platform: row.campaignPlatform, device: askedDevice(row) })

/** A bench entry as one of the tester's tests: no seat, no days, no pay yet. */
export const ofEntry = (row: BenchRow): CampaignTester => {
  const obstacle = seatWaits(row) ? obstacleOf(row) : null
  return {
    ...row,
    status: 'WAITLISTED',
    alias: 'On the bench',
    payoutAmountCents: 0,
    joinedAt: row.enteredAt,
    begunAt: null,
    deviceInfo: deviceOf(row),
    bench: {
      line: row.line,
      offerEndsAt: row.offerEndsAt,
      takesNobody: row.takesNobody || row.campaignStatus !== 'LIVE',
      keptByLimit: obstacle?.code === 'LIMIT_REACHED',
      obstacle,
    },
    checkIns: [],
    proofAllowedAt: null,
    proof: null,
    review: null,
    appeal: null,
    consentRequest: null,
    funnel: null,
    nextStep: null,
    waiting: null,
    noAccess: null,
    run: null,
    nda: row.ndaVersion === null ? null : { version: row.ndaVersion, accepted: null, refusalPayCents: null },
    ndaRefused: false,
    runs: [],
    optOuts: 0,
    optedOutAt: null,
    nudgedAt: null,
    changesRequested: 0,
    atRisk: false,
    deadlineAt: row.offerEndsAt,
    proofDueAt: null,
    dropReason: null,
    closedAt: null,
    campaign: {
      ...campaignOf(row),
      // The group's owner sees its members, so testers see the group before they join, unless there is an NDA to accept first.
      groupLink: row.ndaVersion === null ? row.groupLink : null,
      distributionLink: null,
      appliedAt: null,
    },
    actions: seatWaits(row) && obstacle === null ? ['acceptSeat', 'leave'] : ['leave'],
  }
}
