import type { SignedIn } from '../../kit/endpoint.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { DuePage } from '../../kit/server/jobs.ts'
import type { CampaignStatus, Platform } from '../../campaigns/contract.ts'
import type { AccessMode } from '../../campaigns/terms.ts'
import type { NewPlayAddress } from '../../playAddresses/server/playAddresses.ts'
import type { DeviceInfo, DropReason, ParticipationStatus, RejectionCode } from '../contract.ts'
import type { Requirements } from '../eligibility.ts'
import type { Situation } from '../situation.ts'

export type ParticipationRow = {
  id: string
  campaignId: string
  testerId: string
  ordinal: number
  status: ParticipationStatus
  devicePlatform: Platform | null
  deviceOsVersion: string | null
  deviceModel: string
  deviceManufacturer: string | null
  timeZone: string
  joinedAt: string
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
  distributionLink: string
  features: string[]
  lastCheckInDay: string | null
  changesRequested: number
  campaignClosedAt: string | null
  accessMode: AccessMode
  groupLink: string | null
  appliedAt: string | null
  listedAt: string | null
  linkOpenedAt: string | null
  optedInAt: string | null
  optedOutAt: string | null
  optOuts: number
  /** As of the statement's start; whoever changes a run reads it again under lock. */
  contest: Situation['contest']
  waitNoticesSent: number
  nudgedAt: string | null
}

const columns = sql`p.id, p.campaign_id as "campaignId", p.tester_id as "testerId", p.ordinal, p.status,
  p.device_platform as "devicePlatform", p.device_os_version as "deviceOsVersion", p.device_model as "deviceModel",
  p.device_manufacturer as "deviceManufacturer", p.time_zone as "timeZone", p.joined_at as "joinedAt",
  p.proof_allowed_at as "proofAllowedAt", p.last_seen_at as "lastSeenAt", p.at_risk as "atRisk",
  p.proof_warned as "proofWarned",
  p.proof_text as "proofText", p.proof_links as "proofLinks", p.proof_submitted_at as "proofSubmittedAt",
  p.review_note as "reviewNote", p.rejection_code as "rejectionCode", p.rejection_reason as "rejectionReason",
  p.reviewed_at as "reviewedAt", p.reviewed_by as "reviewedBy", p.drop_reason as "dropReason",
  p.payout_amount_cents as "payoutAmountCents", p.closed_at as "closedAt", c.developer_id as "developerId",
  c.title as "campaignTitle", c.platform as "campaignPlatform", c.status as "campaignStatus",
  c.duration_days as "durationDays", c.pay_per_tester_cents as "payPerTesterCents",
  c.daily_check_in as "dailyCheckIn", c.distribution_link as "distributionLink", c.features,
  c.review_hours as "reviewHours", c.at_risk_hours as "atRiskHours", c.drop_hours as "dropHours",
  p.last_check_in_day as "lastCheckInDay", p.changes_requested as "changesRequested",
  c.closed_at as "campaignClosedAt", c.access_mode as "accessMode", c.group_link as "groupLink",
  c.applied_at as "appliedAt", p.listed_at as "listedAt", p.link_opened_at as "linkOpenedAt",
  p.opted_in_at as "optedInAt", p.opted_out_at as "optedOutAt", p.opt_outs as "optOuts",
  coalesce((select case when r.contested_at is null then 'NONE' when r.contest_ended_at is null then 'OPEN' else 'ENDED' end
    from opt_in_runs r where r.participation_id = p.id and r.ended_at is null), 'NONE') as contest,
  p.wait_notices_sent as "waitNoticesSent", p.nudged_at as "nudgedAt"`

type Sql = ReturnType<typeof sql>

const tables = sql`participations p join campaigns c on c.id = p.campaign_id`

/** Loads go through what the caller may see: the tester's own, the owner's campaign's, an admin's all. */
const visibleTo = (user: SignedIn) => {
  if (user.role === 'ADMIN') return sql`true`
  return user.role === 'DEVELOPER' ? sql`c.developer_id = ${user.id}` : sql`p.tester_id = ${user.id}`
}

export const participationFor = (tx: Tx, user: SignedIn, id: string): Promise<ParticipationRow> =>
  tx.one(sql`select ${columns} from ${tables} where p.id = ${id} and ${visibleTo(user)}`, 'Test')

/**
 * Locks the campaign, then the participation, as everybody does: what happens to a test is recorded with a reference to its
 * campaign, and whoever ends a test holds the campaign. The weakest lock is enough, so that the tests of one campaign do
 * not wait for each other.
 */
const lockedInOrder = (id: string, visible: Sql, strength: Sql = sql`for key share`) => sql`
  with c as materialized (
    select * from campaigns where id = (select campaign_id from participations where id = ${id}) ${strength}
  )
  select ${columns} from participations p join c on c.id = p.campaign_id where p.id = ${id} and ${visible} for update of p`

export const lockParticipationFor = (tx: Tx, user: SignedIn, id: string): Promise<ParticipationRow> =>
  tx.one(lockedInOrder(id, visibleTo(user)), 'Test')

/** All who wait for the tester list of a campaign, locked in one order after their campaign. */
export const lockWaiting = async (tx: Tx, campaignId: string): Promise<ParticipationRow[]> => {
  await tx.run(sql`select from campaigns where id = ${campaignId} for key share`)
  return tx.rows(sql`select ${columns} from ${tables} where p.campaign_id = ${campaignId} and p.status = 'ACTIVE'
    and p.listed_at is null and p.opted_in_at is null and p.opted_out_at is null order by p.ordinal for update of p`)
}

/** Also holds the campaign against everybody else who writes it, for what changes the campaign or closes the test. */
export const lockParticipationAndCampaign = async (tx: Tx, user: SignedIn, id: string): Promise<ParticipationRow> => {
  await tx.one(lockedInOrder(id, visibleTo(user), sql`for update`), 'Test')
  return participationFor(tx, user, id)
}

export const dueIds = (tx: Tx, now: string, { limit, except }: DuePage): Promise<{ id: string }[]> =>
  tx.rows(sql`select id from participations where wake_at <= ${now} and id <> all(${except})
    order by wake_at limit ${limit}`)

export const participationById = (tx: Tx, id: string): Promise<ParticipationRow> =>
  tx.one(sql`select ${columns} from ${tables} where p.id = ${id}`, 'Test')

export const participationsByIds = (tx: Tx, ids: readonly string[]): Promise<ParticipationRow[]> =>
  tx.rows(sql`select ${columns} from ${tables} where p.id = any(${ids}) order by p.ordinal`)

export const lockParticipation = (tx: Tx, id: string): Promise<ParticipationRow> =>
  tx.one(lockedInOrder(id, sql`true`), 'Test')

type ListQuery = { status?: ParticipationStatus | undefined; limit: number; cursor?: string | undefined }

export const listOwn = (tx: Tx, testerId: string, { status, limit, cursor }: ListQuery): Promise<ParticipationRow[]> =>
  tx.rows(sql`
    select ${columns} from ${tables}
    where p.tester_id = ${testerId} ${status ? sql`and p.status = ${status}` : empty}
      ${cursor ? sql`and p.id < ${cursor}` : empty}
    order by p.id desc limit ${limit + 1}`)

/** In the order they joined. */
export const listOfCampaign = (
  tx: Tx,
  campaignId: string,
  { status, limit, cursor }: ListQuery,
): Promise<ParticipationRow[]> =>
  tx.rows(sql`
    select ${columns} from ${tables}
    where p.campaign_id = ${campaignId} ${status ? sql`and p.status = ${status}` : empty}
      ${cursor ? sql`and p.ordinal > (select ordinal from participations where id = ${cursor})` : empty}
    order by p.ordinal limit ${limit + 1}`)

/** Still at work, in the order in which campaigns are locked. */
export const openOf = (tx: Tx, testerId: string): Promise<ParticipationRow[]> =>
  tx.rows(sql`select ${columns} from ${tables}
    where p.tester_id = ${testerId} and p.status in ('ACTIVE', 'CHANGES_REQUESTED') order by p.campaign_id`)

export type CheckInRow = {
  participationId: string
  day: string
  at: string
  note: string | null
  minutes: number | null
  features: string[]
  code: string | null
}

/** Of all of a page's participations at once, each one's in the order of days. */
export const checkInsOf = (tx: Tx, participationIds: readonly string[]): Promise<CheckInRow[]> =>
  tx.rows(sql`
    select participation_id as "participationId", day, at, note, minutes, features, code from check_ins
    where participation_id = any(${participationIds}) order by participation_id, day`)

export type CampaignToJoin = Requirements & {
  id: string
  status: CampaignStatus
  durationDays: number
  dailyCheckIn: boolean
  reviewHours: number
  atRiskHours: number
  dropHours: number
  seatsTaken: number
  closedSeats: number
  offeredSeats: number
  testersRequired: number
  accessMode: AccessMode
  developerName: string
  joinedBefore: boolean
}

/** Only of a campaign that the tester may see, as for every other load: one that is live, or that the tester was in. */
export const campaignToJoin = (tx: Tx, testerId: string, id: string): Promise<CampaignToJoin> =>
  tx.one(
    sql`select id, status, platform, country_codes as "countryCodes", min_android_version as "minAndroidVersion",
      min_ios_version as "minIOSVersion", duration_days as "durationDays", daily_check_in as "dailyCheckIn",
      review_hours as "reviewHours", at_risk_hours as "atRiskHours", drop_hours as "dropHours",
      seats_taken as "seatsTaken", closed_seats as "closedSeats", offered_seats as "offeredSeats",
      testers_required as "testersRequired", access_mode as "accessMode",
      (select name from users where id = c.developer_id) as "developerName",
      exists(select from participations where campaign_id = ${id} and tester_id = ${testerId})
        or exists(select from bench_entries where campaign_id = ${id} and tester_id = ${testerId}) as "joinedBefore"
    from campaigns c where id = ${id} and (status = 'LIVE'
      or exists(select from participations where campaign_id = c.id and tester_id = ${testerId})
      or exists(select from bench_entries where campaign_id = c.id and tester_id = ${testerId}))`,
    'Campaign',
  )

export type Seat = {
  id: string
  campaignId: string
  testerId: string
  device: DeviceInfo
  /** Null where the campaign has no tester list. */
  address: NewPlayAddress | null
  timeZone: string
  now: string
  /** Null with a tester list: the days begin with the opt-in, which then moves the campaign's end. */
  proofAllowedAt: string | null
  wakeAt: string
}

/**
 * Takes a seat in one statement, so that the campaign's row is locked for a single round trip: whoever waits for it
 * sees the new count, and the last seat is given once. False when there is no seat to take; joining twice violates
 * the unique key. The tester's row is held before the campaign's, as a suspension does: whoever is suspended takes none.
 */
export const takeSeat = async (tx: Tx, { device, address, ...seat }: Seat): Promise<boolean> => {
  const taken = await tx.run(sql`
    with tester as materialized (
      select from settings where hold_tester(${seat.testerId}) < open_tests_per_tester
    ), seat as (
      update campaigns c set seats_taken = seats_taken + 1, open_testers = open_testers + 1, joins_ever = joins_ever + 1,
        end_date = greatest(end_date, ${seat.proofAllowedAt}::timestamptz)
      from tester where c.id = ${seat.campaignId} and status = 'LIVE'
        and seats_taken + closed_seats + offered_seats < testers_required
      returning c.id, joins_ever, pay_per_tester_cents
    ), joined as (
      insert into participations (id, campaign_id, tester_id, ordinal, status, device_platform, device_os_version,
        device_model, device_manufacturer, device_fingerprint, time_zone, joined_at, proof_allowed_at, last_seen_at,
        payout_amount_cents, wake_at)
      select ${seat.id}, id, ${seat.testerId}, joins_ever, 'ACTIVE', ${device.platform ?? null}, ${device.osVersion ?? null},
        ${device.model}, ${device.manufacturer ?? null}, ${device.fingerprint ?? null}, ${seat.timeZone}, ${seat.now},
        ${seat.proofAllowedAt}::timestamptz, ${seat.now}, pay_per_tester_cents, ${seat.wakeAt} from seat
      returning id, tester_id
    ), address as (
      insert into play_addresses (participation_id, tester_id, sealed, address_hash, same_address, consent_version, consented_at)
      select id, tester_id, ${address?.sealed ?? null}, ${address?.hash ?? null}::bytea,
        coalesce((select same_address from play_addresses where address_hash = ${address?.hash ?? null}::bytea limit 1), id),
        ${address?.consentVersion ?? null}, ${seat.now}
      from joined where ${address !== null}
    )
    select from joined`)
  return taken === 1
}

/** How many tests are open, and how many can be. */
export const openTests = (tx: Tx, testerId: string): Promise<{ open: number; most: number }> =>
  tx.one(
    sql`select open_tests_per_tester as most, (select count(*) from participations
      where tester_id = ${testerId} and closed_at is null) as open from settings`,
    'Settings',
  )

export const insertCheckIn = async (
  tx: Tx,
  { participationId, day, at, note, minutes, features, code }: CheckInRow,
  wakeAt: string | null,
): Promise<void> => {
  await tx.run(
    sql`insert into check_ins (participation_id, day, at, note, minutes, features, code)
      values (${participationId}, ${day}, ${at}, ${note}, ${minutes}, ${features}, ${code})`,
  )
  await tx.run(sql`update participations set check_in_count = check_in_count + 1, last_check_in_day = ${day},
    last_seen_at = ${at}, at_risk = false, wake_at = ${wakeAt} where id = ${participationId}`)
}

export const setProof = (
  tx: Tx,
  id: string,
  proof: { text: string; links: readonly string[] },
  now: string,
  wakeAt: string | null,
): Promise<number> =>
  tx.run(sql`update participations set status = 'SUBMITTED', proof_text = ${proof.text}, proof_links = ${proof.links},
    proof_submitted_at = ${now}, last_seen_at = ${now}, at_risk = false, wake_at = ${wakeAt} where id = ${id}`)

export const setChangesRequested = (
  tx: Tx,
  id: string,
  review: { note: string; reviewerId: string; now: string; wakeAt: string | null },
): Promise<number> =>
  tx.run(sql`update participations set status = 'CHANGES_REQUESTED', changes_requested = changes_requested + 1, review_note = ${review.note},
    reviewed_at = ${review.now}, reviewed_by = ${review.reviewerId}, last_seen_at = ${review.now},
    wake_at = ${review.wakeAt} where id = ${id}`)

export const setWaitNotices = (tx: Tx, id: string, sent: number, wakeAt: string | null): Promise<number> =>
  tx.run(sql`update participations set wait_notices_sent = ${sent}, wake_at = ${wakeAt} where id = ${id}`)

export const setWakeAt = (tx: Tx, id: string, wakeAt: string | null): Promise<number> =>
  tx.run(sql`update participations set wake_at = ${wakeAt} where id = ${id}`)

type Warned = { atRisk: boolean; proofWarned: boolean; wakeAt: string | null }

export const setWarned = (tx: Tx, id: string, { atRisk, proofWarned, wakeAt }: Warned): Promise<number> =>
  tx.run(sql`update participations set at_risk = ${atRisk}, proof_warned = ${proofWarned}, wake_at = ${wakeAt}
    where id = ${id}`)
