/** The columns that statements select of a participation, and who may see it. */
import { raw } from 'sql-template-tag'
import type { SignedIn } from '../../kit/endpoint.ts'
import type { Downtime } from '../../kit/downtimes.ts'
import { sql } from '../../kit/server/db.ts'
import { downtimesSince } from '../../kit/server/downtimes.ts'
import { instantText } from '../../kit/server/json.ts'
import { type AttachmentRow, attachedTo } from '../../attachments/server/attachments.ts'
import type { CampaignStatus, Platform } from '../../campaigns/contract.ts'
import type { AccessMode } from '../../campaigns/terms.ts'
import type { DropReason, ParticipationStatus, RejectionCode } from '../contract.ts'
import type { Situation } from '../situation.ts'
import type { AccessProblem } from '../terms.ts'
import { appealOf, type AppealRow } from './appeals.queries.ts'
import { requestOf, type RequestRow } from './consent.queries.ts'
import { runsOf, type RunRow } from './optIn.queries.ts'

/** What a test, or a bench entry, shows of its campaign and of the device. */
export type SharedRow = {
  developerId: string
  campaignTitle: string
  campaignPlatform: Platform
  campaignStatus: CampaignStatus
  durationDays: number
  payPerTesterCents: number
  dailyCheckIn: boolean
  reviewHours: number
  atRiskHours: number
  dropHours: number
  accessMode: AccessMode
  groupLink: string | null
  ndaVersion: number | null
  features: string[]
  devicePlatform: Platform | null
  deviceOsVersion: string | null
  deviceModel: string
  deviceManufacturer: string | null
}

/** `c` is the campaign; `device` names the row that has the device. */
export const sharedColumns = (device: 'p' | 'e') => sql`c.developer_id as "developerId", c.title as "campaignTitle",
  c.platform as "campaignPlatform", c.status as "campaignStatus", c.duration_days as "durationDays",
  c.pay_per_tester_cents as "payPerTesterCents", c.daily_check_in as "dailyCheckIn", c.review_hours as "reviewHours",
  c.at_risk_hours as "atRiskHours", c.drop_hours as "dropHours", c.access_mode as "accessMode",
  c.group_link as "groupLink", c.nda_version as "ndaVersion", c.features, ${raw(device)}.device_platform as "devicePlatform",
  ${raw(device)}.device_os_version as "deviceOsVersion", ${raw(device)}.device_model as "deviceModel",
  ${raw(device)}.device_manufacturer as "deviceManufacturer"`

export type ParticipationRow = SharedRow & {
  id: string
  campaignId: string
  testerId: string
  ordinal: number
  status: ParticipationStatus
  timeZone: string
  joinedAt: string
  campaignEndDate: string | null
  proofAllowedAt: string | null
  lastSeenAt: string
  atRisk: boolean
  proofWarned: boolean
  proofText: string | null
  proofLinks: string[]
  proofSubmittedAt: string | null
  reviewNote: string | null
  rejectionCode: RejectionCode | null
  rejectionReason: string | null
  reviewedAt: string | null
  reviewedBy: string | null
  dropReason: DropReason | null
  payoutAmountCents: number
  closedAt: string | null
  distributionLink: string
  lastCheckInDay: string | null
  daysCheckedIn: number
  changesRequested: number
  cannotSignIn: boolean
  campaignClosedAt: string | null
  appliedAt: string | null
  listedAt: string | null
  linkOpenedAt: string | null
  noAccessAt: string | null
  noAccessReports: number
  /** As of the last report. */
  noAccessProblem: AccessProblem | null
  optedInAt: string | null
  optedOutAt: string | null
  optOuts: number
  /** As of the statement's start. Code that changes a run reads it again under lock. */
  contest: Situation['contest']
  waitNoticesSent: number
  nudgedAt: string | null
  ndaJoined: number | null
  ndaAccepted: number | null
  ndaAcceptedAt: string | null
  ndaLiftedAt: string | null
  ndaRefused: boolean
  frozenSince: string | null
  consent: Situation['consent']
  disputed: boolean
  /** A bank took back a payment of the campaign. */
  disputeLost: boolean
  appealed: boolean
  downtimes: readonly Downtime[]
}

/** The request for consent to a rejection; of older requests only the time is known. */
const isOfThisProof = sql`coalesce(r.changes_requested = p.changes_requested, r.requested_at >= p.proof_submitted_at)`

/**
 * If no run has ended, all check-ins count. As of the statement's start: the insert itself refuses a second check-in on the same
 * day.
 */
export const lastDayCounted = sql`case when p.opted_out_at is null then p.last_check_in_day
  else last_day_counted(p.id, p.joined_at, p.last_check_in_day) end`

export const daysCheckedIn = sql`case when p.opted_out_at is null then p.check_in_count else p.check_in_count - count_voided_days(p.id) end`

const own = sql`p.id, p.campaign_id as "campaignId", p.tester_id as "testerId", p.ordinal, p.status,
  ${sharedColumns('p')}, c.end_date as "campaignEndDate", p.time_zone as "timeZone", p.joined_at as "joinedAt",
  p.proof_allowed_at as "proofAllowedAt", p.last_seen_at as "lastSeenAt", p.at_risk as "atRisk",
  p.proof_warned as "proofWarned",
  p.proof_text as "proofText", p.proof_links as "proofLinks", p.proof_submitted_at as "proofSubmittedAt",
  p.review_note as "reviewNote", p.rejection_code as "rejectionCode", p.rejection_reason as "rejectionReason",
  p.reviewed_at as "reviewedAt", p.reviewed_by as "reviewedBy", p.drop_reason as "dropReason",
  p.payout_amount_cents as "payoutAmountCents", p.closed_at as "closedAt",
  c.distribution_link as "distributionLink",
  p.changes_requested as "changesRequested", c.closed_at as "campaignClosedAt",
  c.applied_at as "appliedAt", p.listed_at as "listedAt", p.link_opened_at as "linkOpenedAt",
  p.no_access_at as "noAccessAt", p.no_access_reports as "noAccessReports", p.no_access_problem as "noAccessProblem",
  p.opted_in_at as "optedInAt", p.opted_out_at as "optedOutAt", p.opt_outs as "optOuts",
  p.wait_notices_sent as "waitNoticesSent", p.nudged_at as "nudgedAt",
  p.nda_joined as "ndaJoined", p.nda_accepted as "ndaAccepted", p.nda_accepted_at as "ndaAcceptedAt",
  p.nda_lifted_at as "ndaLiftedAt", p.nda_refused as "ndaRefused", case when p.status = 'REJECTED' and p.closed_at is null then p.reviewed_at end as "frozenSince",
  c.disputed_since is not null as disputed, c.dispute_lost_at is not null as "disputeLost"`

/** What is looked up in other tables. */
const lookedUp = sql`${lastDayCounted} as "lastCheckInDay", ${daysCheckedIn} as "daysCheckedIn",
  (p.status in ('SUBMITTED', 'VERIFIED') or p.status in ('REJECTED', 'APPEALED') and p.closed_at is null) and exists (select from users s
    where s.id = p.tester_id and (s.suspended_at is not null or s.deleted_at is not null)) as "cannotSignIn",
  coalesce((select case when r.contested_at is null then 'NONE' when r.contest_ended_at is null then 'OPEN' else 'ENDED' end
    from opt_in_runs r where r.participation_id = p.id and r.ended_at is null), 'NONE') as contest,
  case when p.status = 'SUBMITTED' then coalesce((select case when r.outcome is null then 'WAITING'
      when r.outcome = 'REFUSED' and ${isOfThisProof} then 'REFUSED' else 'NONE' end
    from rejection_requests r where r.participation_id = p.id order by r.seq desc limit 1), 'NONE') else 'NONE' end as consent,
  p.rejection_code is not null and exists (select from appeals a where a.participation_id = p.id) as appealed,
  ${downtimesSince(sql`p.joined_at`)} as downtimes`

export const columns = sql`${own}, ${lookedUp}`

export const tables = sql`participations p join campaigns c on c.id = p.campaign_id`

/** What the caller may see: testers their own tests, developers those of their campaigns, admins all. */
export const visibleTo = (user: SignedIn) => {
  if (user.role === 'ADMIN') return sql`true`
  return user.role === 'DEVELOPER' ? sql`c.developer_id = ${user.id}` : sql`p.tester_id = ${user.id}`
}

/**
 * The days that a test's check-ins can have, in any time zone, so that PostgreSQL looks only into those monthly partitions
 * (decision 050).
 */
export const daysOf = (checkIns: ReturnType<typeof sql>) =>
  sql`${checkIns}.day between (p.joined_at - interval '2 days')::date and p.last_check_in_day`

/** A test's evidence, in the order of days, of files and of runs. */
export type Evidence = {
  checkIns: CheckInRow[]
  attached: AttachmentRow[]
  runs: RunRow[]
  appeal: AppealRow | null
  consentRequest: RequestRow | null
}

/** A test with everything that its screen shows. */
export type WholeRow = ParticipationRow & Evidence

const id = sql`p.id`

export const wholeColumns = sql`${columns},
  (select coalesce(json_agg(json_build_object('day', k.day, 'at', ${instantText(sql`k.at`)}, 'note', k.note, 'minutes', k.minutes,
      'features', k.features, 'code', k.code, 'runId', k.run_id) order by k.day), '[]') from all_check_ins k where k.participation_id = p.id and ${daysOf(sql`k`)}) as "checkIns",
  ${attachedTo(id)} as attached, ${runsOf(id)} as runs, case when p.rejection_code is not null then ${appealOf(id)} end as appeal,
  ${requestOf(id)} as "consentRequest"`

/** The columns of a test that has just begun: there is nothing to look up for it yet. */
export const freshColumns = sql`${own}, null::date as "lastCheckInDay", 0 as "daysCheckedIn", false as "cannotSignIn", 'NONE' as contest,
  'NONE' as consent, false as appealed, '[]'::json as downtimes,
  '[]'::json as "checkIns", '[]'::json as attached, '[]'::json as runs, null::json as appeal, null::json as "consentRequest"`

export type CheckInRow = {
  day: string
  at: string
  note: string | null
  minutes: number | null
  features: string[]
  code: string | null
  /**
   * The opt-in run during which it was made. Null if testers do not opt in, and for old check-ins unless voided
   * (168-runs-of-check-ins.sql).
   */
  runId: number | null
}
