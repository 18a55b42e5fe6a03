import type { Cents } from '../../kit/money.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import { fixedRowLimit } from '../../kit/server/rowLimits.ts'
import { instantText } from '../../kit/server/json.ts'
import type { Campaign, CampaignStatus, Platform } from '../contract.ts'
import type { AccessMode, EditableField, Pauser } from '../terms.ts'

/** A campaign as stored, with the viewer's relation to it. */
export type CampaignRow = {
  id: string
  developerId: string
  developerName: string
  title: string
  description: string
  platform: Platform
  distributionLink: string
  pendingLink: string | null
  pendingGroupLink: string | null
  linkRequestedAt: string | null
  /** The position of its last changed link in the queue of all campaigns; null before the first. */
  linkRequest: number | null
  testersRequired: number
  payPerTesterCents: number
  durationDays: number
  dailyCheckIn: boolean
  accessMode: AccessMode
  groupLink: string | null
  features: string[]
  countries: string[]
  minAndroidVersion: string | null
  minIOSVersion: string | null
  countryCodes: string[]
  status: CampaignStatus
  feeBasisPoints: number
  reviewHours: number
  atRiskHours: number
  dropHours: number
  quotedFeeCents: number
  fundedCents: number
  feeCents: number
  seatsTaken: number
  joinsEver: number
  closedSeats: number
  offeredSeats: number
  benchTesters: number
  /** For testers on its bench whose offers were taken back: until when each had been promised a seat. Null if there are none. */
  promisesUntil: string[] | null
  verifiedTesters: number
  frozen: Campaign['frozen']
  disputedSince: string | null
  disputeLostAt: string | null
  held: Campaign['held']
  /** Since when its owner has been asked for a new payment, and how much is in escrow now; both null unless asked. */
  renewalAskedAt: string | null
  renewalCents: number | null
  paymentIsOnItsWay: boolean
  /** Null if its owner paused it, and while it is not paused. */
  pausedBy: Pauser | null
  startDate: string | null
  endDate: string | null
  endedAt: string | null
  rejectionReason: string | null
  submittedAt: string | null
  waitsSince: string | null
  /** The position of its last submission in the queue of all campaigns; null before the first. */
  submission: number | null
  createdAt: string
  participationId: string | null
  participationStatus: string | null
  feedbackQuestions: number
  ndaVersion: number | null
  /** The newest version that the viewer accepted. */
  ndaAccepted: number | null
}

/** Seats of rejected proofs whose rejection is not final yet; null if there are none. */
const frozen = sql`(select case when count(*) > 0 then json_build_object('seats', count(*),
    'appealed', count(*) filter (where f.status = 'APPEALED'), 'until', ${instantText(sql`max(f.wake_at)`)}) end
  from participations f where f.campaign_id = c.id and f.closed_at is null and f.status in ('REJECTED', 'APPEALED'))`

/** Testers' pay and held fee. */
export const heldCents = sql`(select coalesce(sum(balance_cents), 0)::bigint from accounts
  where kind in ('CAMPAIGN_ESCROW', 'CAMPAIGN_FEE') and owner_id = c.id)`

/** Null unless a dispute keeps money in escrow that would otherwise have been refunded. */
const held = sql`case when c.disputed_since is not null or c.after_dispute then (select json_build_object(
    'payCents', coalesce(sum(balance_cents) filter (where kind = 'CAMPAIGN_ESCROW'), 0),
    'feeCents', coalesce(sum(balance_cents) filter (where kind = 'CAMPAIGN_FEE'), 0))
  from accounts where kind in ('CAMPAIGN_ESCROW', 'CAMPAIGN_FEE') and owner_id = c.id) end`

/**
 * Asked only of campaigns that can be paid for. A payment that waits on the provider's page can be started again, which ends that
 * page.
 */
const paymentIsOnItsWay = sql`case when c.status = 'DRAFT' or c.renewal_asked_at is not null then exists (select from charges h
    where h.campaign_id = c.id and h.status = 'PENDING' and h.ended_at is null and h.checkout_url is null) else false end`

/**
 * For a tester of the campaign, the form that they joined with, like dueForm in the feedback slice; for everybody else, the
 * present form.
 */
const feedbackQuestions = sql`case when p.id is null or c.feedback_questions = 0 then c.feedback_questions
  else coalesce((select nullif(jsonb_array_length(f.questions), 0) from feedback_forms f
    where f.campaign_id = c.id and f.after_ordinal < p.ordinal order by f.version desc limit 1), c.feedback_questions) end`
const promises = sql`case when c.bench_testers > 0 then (select json_agg(${instantText(sql`until`)})
  from promises_of_seats(c.id) until) end`

/** The event moves only when the campaign is submitted after a rejection, as its place in the queue does. */
const waitsSince = sql`case when c.status = 'PENDING_APPROVAL' then (select e.at from campaign_events e
  where e.campaign_id = c.id and e.kind = 'SUBMITTED' order by e.id desc limit 1) end`

export const columns = sql`c.id, c.developer_id as "developerId", d.name as "developerName", c.title, c.description, c.platform,
  c.distribution_link as "distributionLink", c.pending_link as "pendingLink", c.pending_group_link as "pendingGroupLink",
  c.link_requested_at as "linkRequestedAt", c.link_request as "linkRequest", c.testers_required as "testersRequired",
  c.pay_per_tester_cents as "payPerTesterCents", c.duration_days as "durationDays",
  c.daily_check_in as "dailyCheckIn", c.access_mode as "accessMode", c.group_link as "groupLink", c.features, c.countries, c.min_android_version as "minAndroidVersion",
  c.min_ios_version as "minIOSVersion", c.country_codes as "countryCodes", c.status, c.paused_by as "pausedBy",
  c.fee_basis_points as "feeBasisPoints", c.review_hours as "reviewHours", c.at_risk_hours as "atRiskHours",
  c.drop_hours as "dropHours", c.quoted_fee_cents as "quotedFeeCents", c.funded_cents as "fundedCents",
  c.fee_cents as "feeCents", c.seats_taken as "seatsTaken", c.joins_ever as "joinsEver", c.closed_seats as "closedSeats", c.offered_seats as "offeredSeats",
  c.bench_testers as "benchTesters", ${promises} as "promisesUntil", c.verified_testers as "verifiedTesters",
  ${frozen} as frozen, c.disputed_since as "disputedSince", c.dispute_lost_at as "disputeLostAt", ${held} as held,
  c.renewal_asked_at as "renewalAskedAt", case when c.renewal_asked_at is not null then ${heldCents} end as "renewalCents", ${paymentIsOnItsWay} as "paymentIsOnItsWay", c.start_date as "startDate", c.end_date as "endDate", c.closed_at as "endedAt", c.rejection_reason as "rejectionReason",
  c.submitted_at as "submittedAt", ${waitsSince} as "waitsSince", c.submission,
  c.created_at as "createdAt", coalesce(p.id, b.id) as "participationId",
  coalesce(p.status, case when b.id is not null then 'WAITLISTED' end) as "participationStatus",
  ${feedbackQuestions} as "feedbackQuestions", c.nda_version as "ndaVersion", p.nda_accepted as "ndaAccepted"`

/** The campaign, its developer's name, and the viewer's own participation. */
export const seenBy = (viewerId: string) => sql`campaigns c join users d on d.id = c.developer_id
  left join participations p on p.campaign_id = c.id and p.tester_id = ${viewerId}
  left join bench_entries b on b.campaign_id = c.id and b.tester_id = ${viewerId}`

/** Reads only what the caller may see: somebody else's campaign is NOT_FOUND (product.md §5). */
export const visibleTo = (user: SignedIn) => {
  if (user.role === 'ADMIN') return sql`true`
  return user.role === 'DEVELOPER'
    ? sql`c.developer_id = ${user.id}`
    : sql`(c.status = 'LIVE' or p.id is not null or b.id is not null)`
}

export const campaignFor = (tx: Tx, user: SignedIn, id: string): Promise<CampaignRow> =>
  tx.one(sql`select ${columns} from ${seenBy(user.id)} where c.id = ${id} and ${visibleTo(user)}`, 'Campaign')

export const lockCampaignFor = (tx: Tx, user: SignedIn, id: string): Promise<CampaignRow> =>
  tx.one(
    sql`select ${columns} from ${seenBy(user.id)} where c.id = ${id} and ${visibleTo(user)} for update of c`,
    'Campaign',
  )

/**
 * Sent before the statement that reads its accounts: a statement that had to wait for the row would read the balances from before
 * the wait.
 */
export const holdOwnCampaign = (tx: Tx, developerId: string, id: string): Promise<number> =>
  tx.run(sql`select from campaigns where id = ${id} and developer_id = ${developerId} for update`)

export type Terms = Pick<
  CampaignRow,
  | 'title'
  | 'description'
  | 'platform'
  | 'distributionLink'
  | 'testersRequired'
  | 'payPerTesterCents'
  | 'durationDays'
  | 'dailyCheckIn'
  | 'accessMode'
  | 'groupLink'
  | 'features'
  | 'countries'
  | 'countryCodes'
  | 'minAndroidVersion'
  | 'minIOSVersion'
  | 'quotedFeeCents'
>

export const countDrafts = (tx: Tx, developerId: string): Promise<number> =>
  tx.value(sql`select count(*) from campaigns where developer_id = ${developerId} and status = 'DRAFT'`)

export const insertDraft = (
  tx: Tx,
  draft: Terms &
    Pick<
      CampaignRow,
      'id' | 'developerId' | 'feeBasisPoints' | 'reviewHours' | 'atRiskHours' | 'dropHours' | 'createdAt'
    >,
): Promise<number> =>
  tx.run(sql`
    insert into campaigns (id, developer_id, title, description, platform, distribution_link, testers_required,
      pay_per_tester_cents, duration_days, daily_check_in, countries, country_codes, min_android_version,
      min_ios_version, access_mode, group_link, features, status, fee_basis_points, review_hours, at_risk_hours,
      drop_hours, quoted_fee_cents, created_at)
    values (${draft.id}, ${draft.developerId}, ${draft.title}, ${draft.description}, ${draft.platform},
      ${draft.distributionLink}, ${draft.testersRequired}, ${draft.payPerTesterCents}, ${draft.durationDays},
      ${draft.dailyCheckIn}, ${draft.countries}, ${draft.countryCodes}, ${draft.minAndroidVersion},
      ${draft.minIOSVersion}, ${draft.accessMode}, ${draft.groupLink}, ${draft.features}, 'DRAFT', ${draft.feeBasisPoints}, ${draft.reviewHours},
      ${draft.atRiskHours}, ${draft.dropHours}, ${draft.quotedFeeCents}, ${draft.createdAt})`)

/** New terms for a draft that the caller has locked; refunds a surplus under `refundId`. */
export const changeTerms = (
  tx: Tx,
  id: string,
  terms: Terms,
  refundId: string,
  now: string,
): Promise<'OK' | 'REFUNDED' | 'WRONG_STATE'> =>
  tx.value(
    sql`select after_refund(change_campaign_terms(${id}, ${terms.platform}, ${terms.testersRequired},
      ${terms.payPerTesterCents}, ${terms.durationDays}, ${terms.quotedFeeCents}, ${terms.dailyCheckIn},
      ${terms.countries}, ${terms.countryCodes}, ${terms.minAndroidVersion}, ${terms.minIOSVersion}, ${terms.title},
      ${terms.description}, ${terms.distributionLink}, ${terms.accessMode}, ${terms.groupLink}, ${terms.features}, ${refundId}, ${now}), ${refundId})`,
  )

export const changeTexts = (tx: Tx, id: string, texts: Pick<Terms, 'title' | 'description'>): Promise<number> =>
  tx.run(sql`update campaigns set title = ${texts.title}, description = ${texts.description} where id = ${id}`)

export const submit = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update campaigns set status = 'PENDING_APPROVAL', status_changed_at = ${now}, submitted_at = ${now},
    rejection_reason = null where id = ${id}`)

/**
 * While it waits for approval; it keeps its place in the queue and the time since which it waits. Later than before, whatever the
 * clocks of the servers say.
 */
export const submitAnew = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update campaigns set submitted_at = greatest(${now}, submitted_at + interval '1 millisecond')
    where id = ${id} and status = 'PENDING_APPROVAL'`)

export const setStatus = (tx: Tx, id: string, status: CampaignStatus, now: string): Promise<number> =>
  tx.run(sql`update campaigns set status = ${status}, status_changed_at = ${now} where id = ${id}`)

export const setPaused = (tx: Tx, id: string, by: Pauser | null, now: string): Promise<number> =>
  tx.run(sql`update campaigns set status = 'PAUSED', status_changed_at = ${now}, paused_by = ${by} where id = ${id}`)

/** Before it is cancelled, in the same transaction. */
export const setCancelledByAdmin = (tx: Tx, id: string): Promise<number> =>
  tx.run(
    sql`update campaigns set cancelled_by_admin = true where id = (select id from campaigns where id = ${id} for update)`,
  )

export const setRejected = (tx: Tx, id: string, reason: string, now: string): Promise<number> =>
  tx.run(sql`update campaigns set status = 'REJECTED', status_changed_at = ${now}, rejection_reason = ${reason}
    where id = ${id}`)

/** The first start sets both dates; resuming leaves them. A day is 24 hours, also across a clock change. */
export const setLive = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update campaigns set status = 'LIVE', status_changed_at = ${now}, start_date = coalesce(start_date, ${now}),
    end_date = coalesce(end_date, ${now}::timestamptz + make_interval(hours => 24 * duration_days)) where id = ${id}`)

/**
 * The tests that a cancellation affects: those still under way (tests that waited in vain to be listed ended before it), those
 * that may still submit another proof, and verified ones whose testers were asked to stay opted in.
 */
export const testsAtCancellation = (
  tx: Tx,
  campaignId: string,
): Promise<
  {
    id: string
    testerId: string
    amountCents: Cents
    /** The amount is paid for having waited to be let in. */
    waited: boolean
    as: 'TESTING' | 'MAY_SUBMIT' | 'IN_REVIEW' | 'VERIFIED'
  }[]
> =>
  tx.rows(sql`select p.id, p.tester_id as "testerId", p.payout_amount_cents as "amountCents",
      p.payout_amount_cents > 0 and c.access_mode <> 'OPEN_LINK'
        and not exists (select from opt_in_runs r where r.participation_id = p.id) as waited,
      case p.status when 'CANCELLED' then 'TESTING' when 'CHANGES_REQUESTED' then 'MAY_SUBMIT'
        when 'SUBMITTED' then 'IN_REVIEW' else 'VERIFIED' end as "as"
    from campaigns c join participations p on p.campaign_id = c.id
      and (p.status = 'CHANGES_REQUESTED' or p.status = 'CANCELLED' and p.closed_at = c.closed_at
        or p.status in ('SUBMITTED', 'VERIFIED') and c.applied_at is null
          and exists (select from opt_in_runs r where r.participation_id = p.id and r.end_reason = 'CANCELLED' and r.ended_at >= c.closed_at))
    where c.id = ${campaignId}`)

/** Proofs that may still be paid after a cancellation. */
export const hasOpenProofs = (tx: Tx, campaignId: string): Promise<boolean> =>
  tx.value(sql`select exists (select from participations where campaign_id = ${campaignId} and closed_at is null
    and status in ('SUBMITTED', 'CHANGES_REQUESTED', 'REJECTED', 'APPEALED'))`)

/**
 * For a suspended developer: nobody new can join, and testers inside go on. Locks in the order of ids, as suspending a tester who
 * is in several campaigns does.
 */
export const pauseLiveOf = (tx: Tx, developerId: string, now: string): Promise<number> =>
  tx.run(sql`
    with live as materialized (
      select id from campaigns where developer_id = ${developerId} and status = 'LIVE' order by id for no key update
    )
    update campaigns set status = 'PAUSED', status_changed_at = ${now}, paused_by = 'SUSPENSION' where id in (select id from live)`)

export const insertEdit = (
  tx: Tx,
  campaignId: string,
  fields: readonly EditableField[],
  now: string,
): Promise<number> =>
  tx.run(sql`insert into campaign_events (campaign_id, at, kind, facts)
    values (${campaignId}, ${now}, 'EDITED', jsonb_build_object('fields', ${fields}::text[]))`)

/** How many of the newest finished tests their testers gave up; reads only the index participations_finished. */
export const finishedTests = (tx: Tx, most: number): Promise<{ finished: number; dropped: number }> =>
  tx.one(
    sql`select count(*) as finished, count(*) filter (where status = 'DROPPED') as dropped from (
      select status from participations where status in ('VERIFIED', 'REJECTED', 'DROPPED')
        and closed_at is not null
      order by closed_at desc limit ${fixedRowLimit(most)}) newest`,
    'Count',
  )
