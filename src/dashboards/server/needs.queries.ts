/** SQL for what waits for somebody. Each part has its own index (052-needs.sql) and reads a bounded number of rows. */
import { raw } from 'sql-template-tag'
import { join, sql, type Tx } from '../../kit/server/db.ts'
import { fixedRowLimit } from '../../kit/server/rowLimits.ts'
import { concernsSomebody } from '../../fraud/server/fraud.ts'
import { severities } from '../../fraud/terms.ts'
import { mailTroubles } from '../../notifications/server/notifications.ts'
import type { Severity } from '../../fraud/contract.ts'
import { appealHours, offerHours } from '../../participations/terms.ts'
import { countsEnd, type NeedKind } from '../terms.ts'

/** `id` and `name` belong to the campaign or to the user, depending on the kind. */
export type NeedRow = {
  kind: NeedKind | 'NEXT'
  count: number
  id: string | null
  name: string | null
  severity: Severity | null
  since: string | null
  dueAt: string | null
}

/** Each kind shows this many entries; another entry stands for the rest. */
export const shownOfKind = 3
const readOfKind = shownOfKind + countsEnd

type Fragment = ReturnType<typeof sql>

const none = sql`null::timestamptz`

type Part = { count?: Fragment; id?: Fragment; name?: Fragment; severity?: string; since?: Fragment; dueAt?: Fragment }

/** One part of the statement, most urgent first: what to select, and from where. */
const part = (kind: NeedRow['kind'], of: Part, from: Fragment): Fragment => sql`
  (select ${kind}::text as kind, ${of.count ?? sql`1::bigint`} as count, ${of.id ?? sql`null::uuid`} as id,
    ${of.name ?? sql`null::text`} as name, ${of.severity ?? null}::text as severity, ${of.since ?? none} as since,
    ${of.dueAt ?? none} as "dueAt" from ${from})`

/** The developer's campaigns with open tests, each with what these tests need, and campaigns that have not started. */
export const needsOfDeveloper = (tx: Tx, developerId: string, now: string): Promise<NeedRow[]> => {
  const campaign = { id: sql`id`, name: sql`title` }
  const running = (kind: NeedKind, count: string, dueAt = none) =>
    part(
      kind,
      { ...campaign, count: raw(count), dueAt },
      sql`running where ${raw(count)} > 0 order by ${dueAt}, id limit ${fixedRowLimit(readOfKind)}`,
    )
  const waiting = (kind: NeedKind, condition: Fragment) =>
    part(
      kind,
      campaign,
      sql`campaigns where developer_id = ${developerId} and ${condition} order by id desc limit ${fixedRowLimit(readOfKind)}`,
    )
  const paid = sql`funded_cents + fee_cents >= testers_required * pay_per_tester_cents + quoted_fee_cents`
  const parts = [
    running('PROOFS', 'proofs', sql`decided_at`),
    running('AT_RISK', 'at_risk'),
    running('TO_LIST', 'to_list'),
    running('APPEALED', 'appealed'),
    // Includes campaigns paused because their owner was suspended, but not disputed ones, which cannot take testers even if they
    // are resumed.
    waiting(
      'PAUSED_BY_ADMIN',
      sql`paused_by is not null and status = 'PAUSED' and disputed_since is null and dispute_lost_at is null`,
    ),
    waiting('SENT_BACK', sql`status = 'REJECTED'`),
    waiting('TO_SUBMIT', sql`status = 'DRAFT' and ${paid}`),
    // A payment on its way needs nothing from the developer, unless it has to be finished on the provider's page.
    waiting(
      'UNPAID',
      sql`status = 'DRAFT' and not (${paid}) and not exists (select from charges h
        where h.campaign_id = campaigns.id and h.status = 'PENDING' and h.ended_at is null and h.checkout_url is null)`,
    ),
    waiting('TO_START', sql`status = 'APPROVED' and disputed_since is null`),
    part('NEXT', { dueAt: sql`min(next_proof_at)` }, sql`running`),
  ]
  return tx.rows(sql`
    with running as materialized (
      select c.id, c.title, tests.* from campaigns c cross join lateral (
        select count(*) filter (where status = 'SUBMITTED' and asked.seq is null) as proofs,
          after_downtimes(min(proof_submitted_at) filter (where status = 'SUBMITTED' and asked.seq is null), c.review_hours) as decided_at,
          count(*) filter (where at_risk or (status in ('ACTIVE', 'CHANGES_REQUESTED') and proof_warned)) as at_risk,
          count(*) filter (where c.access_mode <> 'OPEN_LINK' and c.status <> 'CANCELLED'
            and (listed_at is null or unlisted_at is not null)
            and (c.nda_version is null or nda_accepted is not null)) as to_list,
          count(*) filter (where status = 'APPEALED') as appealed,
          min(proof_allowed_at) filter (where status = 'ACTIVE' and proof_allowed_at > ${now}) as next_proof_at
        -- If the rejection waits for an admin's consent, the developer has nothing to do.
        from participations left join rejection_requests asked on asked.participation_id = participations.id and asked.outcome is null
        where campaign_id = c.id and closed_at is null) tests
      where c.developer_id = ${developerId} and c.has_open_tests
    )
    ${join(parts, ' union all ')}`)
}

export type Offer = { testId: string; campaign: { id: string; title: string }; dueAt: string }

/** Seats that are held for the tester, the first to expire first. */
export const offersTo = (tx: Tx, testerId: string, now: string): Promise<Offer[]> =>
  tx.rows(sql`
    select e.id as "testId", json_build_object('id', c.id, 'title', c.title) as campaign, ends_at as "dueAt"
    from bench_entries e join campaigns c on c.id = e.campaign_id
      cross join lateral (select after_downtimes(e.offered_at, ${offerHours}) as ends_at offset 0) offer
    where e.tester_id = ${testerId} and e.offered_at is not null and ends_at > ${now}
    order by ends_at limit ${fixedRowLimit(countsEnd)}`)

export type Retest = { testId: string; bugId: string | null; campaign: { id: string; title: string }; since: string }

/** A tester who has left has no link to the app any more. */
const isInside = sql`(p.closed_at is null or p.status = 'VERIFIED')`

/** Bugs that a developer says are fixed, and feedback that a change answers, if the tester has not retested them yet. */
export const retestsOf = (tx: Tx, testerId: string, askedFrom: string): Promise<Retest[]> =>
  tx.rows(sql`
    select t.*, json_build_object('id', c.id, 'title', c.title) as campaign from (
      (select p.id as "testId", b.id as "bugId", p.campaign_id, r.asked_at as since
        from participations p join bugs b on b.participation_id = p.id
          join bug_retests r on r.bug_id = b.id and r.result is null and r.withdrawn_at is null and r.asked_at > ${askedFrom}
        where p.tester_id = ${testerId} and ${isInside} limit ${fixedRowLimit(countsEnd)})
      union all
      (select p.id, null, p.campaign_id, max(v.published_at)
        from participations p
          join change_feedback f on f.participation_id = p.id and f.result is null and f.withdrawn_at is null
          join changes k on k.id = f.change_id join versions v on v.id = k.version_id and v.published_at > ${askedFrom}
        where p.tester_id = ${testerId} and ${isInside} group by p.id limit ${fixedRowLimit(countsEnd)})
    ) t join campaigns c on c.id = t.campaign_id order by since`)

export type Rejection = {
  kind: 'MAY_APPEAL' | 'APPEAL_DECIDED'
  testId: string
  campaign: { id: string; title: string }
  since: string
  dueAt: string | null
}

/** The tester's rejections that can still be appealed, and recently decided appeals. */
export const rejectionsOf = (
  tx: Tx,
  testerId: string,
  { now, newsFrom }: Pick<Since, 'now' | 'newsFrom'>,
): Promise<Rejection[]> =>
  tx.rows(sql`
    select case when a.decided_at is null then 'MAY_APPEAL' else 'APPEAL_DECIDED' end as kind, p.id as "testId",
      json_build_object('id', c.id, 'title', c.title) as campaign, coalesce(a.decided_at, p.reviewed_at) as since, "dueAt"
    from participations p join campaigns c on c.id = p.campaign_id left join appeals a on a.participation_id = p.id
      cross join lateral (select case when p.status = 'REJECTED' and p.closed_at is null
        then after_downtimes(p.reviewed_at, ${appealHours}) end as "dueAt" offset 0) ending
    where p.tester_id = ${testerId} and p.rejection_code is not null and (a.decided_at > ${newsFrom} or "dueAt" > ${now})
    order by since desc limit ${fixedRowLimit(countsEnd)}`)

type Since = {
  now: string
  /** Withdrawals requested before this have waited too long. */
  payoutsBefore: string
  /** Anything that happened before this is not shown any more. */
  newsFrom: string
}

/** A single entry, whose count stops at `countsEnd`. */
const some = (kind: NeedKind, since: string, from: Fragment, severity?: Severity) =>
  part(
    kind,
    { count: sql`count(*)`, since: sql`min(since)`, ...(severity && { severity }) },
    sql`(select ${raw(since)} as since from ${from} limit ${fixedRowLimit(countsEnd)}) counted having count(*) > 0`,
  )

const payouts = (kind: NeedKind, from: Fragment) =>
  part(
    kind,
    { id: sql`u.id`, name: sql`u.name`, since: sql`w.since` },
    sql`(${from} limit ${fixedRowLimit(readOfKind)}) w join users u on u.id = w.tester_id order by w.since`,
  )

/** If nobody concerned by a report is left, it is not urgent any more. */
const openReports = (severity: Severity) =>
  sql`fraud_reports r where archived_at is null and status = 'OPEN' and not is_sample and severity = ${severity}
    and ${concernsSomebody}`

/** What waits on the whole platform; each count stops at a bound. */
export const needsOfAdmins = (tx: Tx, { now, payoutsBefore, newsFrom }: Since): Promise<NeedRow[]> => {
  const parts = [
    some(
      'CAMPAIGNS',
      'submitted.at',
      // Like `waitsSince` of the campaign: a change of its NDA or feedback form does not restart the wait.
      sql`campaigns c left join lateral (select e.at from campaign_events e where e.campaign_id = c.id and e.kind = 'SUBMITTED'
          order by e.id desc limit 1) submitted on true
        where c.status = 'PENDING_APPROVAL' order by c.submission`,
    ),
    some(
      'LINKS',
      'link_requested_at',
      sql`campaigns where pending_link is not null or pending_group_link is not null order by link_request`,
    ),
    some('APPEALS', 'appealed_at', sql`appeals where outcome is null order by seq`),
    some('REJECTIONS', 'requested_at', sql`rejection_requests where outcome is null order by seq`),
    some('PAYOUTS', 'requested_at', sql`payout_approvals where outcome is null order by seq`),
    part(
      'DISPUTES',
      {
        count: sql`count(*)`,
        since: sql`min(opened_at)`,
        dueAt: sql`min(evidence_due_at) filter (where evidence_due_at > ${now})`,
      },
      sql`(select opened_at, evidence_due_at from disputes where status = 'OPEN' order by seq
        limit ${fixedRowLimit(countsEnd)}) counted having count(*) > 0`,
    ),
    some('LOST_DISPUTES', 'opened_at', sql`lost_disputes where status = 'OPEN' order by opened_at`),
    some(
      'REFUNDS_STUCK',
      'stuck_since',
      sql`(select stuck_since from refund_parts where stuck_since is not null and status = 'PENDING'
        union all select returned_at from lost_returns
        union all select returned_at from lost_movements where returned_at is not null and booked_at is null) stuck
        order by stuck_since`,
    ),
    some('LIMIT_CHANGE', 'proposed_at', sql`limit_changes where outcome is null`),
    some('REFUNDS_PAID_TWICE', 'told_at', sql`over_refunds where outcome is null`),
    some('DEBTS_TO_GIVE_BACK', 'give_back_since', sql`disputes where give_back_cents > 0 order by give_back_since`),
    some(
      'ESCROW',
      'escrow_due_at',
      sql`campaigns c where escrow_due_at <= ${now}
        and (status not in ('COMPLETED', 'CANCELLED') or has_open_tests or disputed_since is not null or after_dispute)
        and exists (select from accounts where kind in ('CAMPAIGN_ESCROW', 'CAMPAIGN_FEE') and owner_id = c.id
          and balance_cents > 0)
        order by escrow_due_at`,
    ),
    some(
      'OPT_INS',
      'contested_at',
      sql`opt_in_runs where contested_at is not null and contest_ended_at is null and ended_at is null
        order by contested_at`,
    ),
    ...severities.map(severity => some('FRAUD', 'created_at', openReports(severity), severity)),
    payouts(
      'PAYOUT_FAILED',
      // Includes payouts that were paid and came back. Excludes withdrawals never sent to a provider: an admin refused them, or
      // their tester cancelled them.
      sql`select tester_id, coalesce(returned_at, settled_at) as since from withdrawals
        where status = 'FAILED' and coalesce(returned_at, settled_at) > ${newsFrom}
          and exists (select from provider_calls where subject_id = withdrawals.id)
        order by coalesce(returned_at, settled_at) desc`,
    ),
    payouts(
      'PAYOUT_WAITS',
      sql`select tester_id, created_at as since from withdrawals
        where status = 'PENDING' and created_at < ${payoutsBefore}
          and not exists (select from payout_approvals a where a.withdrawal_id = withdrawals.id and a.outcome is null)
          -- A suspension freezes payouts that the provider has not been asked for: nobody has to do anything.
          and (claimed_at is not null
            or not exists (select from users where id = withdrawals.tester_id and suspended_at is not null))
        order by created_at`,
    ),
    some('JOBS_PAUSED', 'paused_at', sql`job_pauses where resumed_at is null`),
    some('WITHDRAWALS_STOPPED', 'found_at', sql`money_breaches where accepted_at is null`),
    some('MAIL_FAILS', 'since', mailTroubles(now)),
    some('CHECKS', 'broken_since', sql`check_results where broken_since is not null`),
    some(
      'FIGURES',
      'at',
      sql`(select at from audit_log where action = 'figures.mend' order by id desc limit ${fixedRowLimit(countsEnd)}) mended
        where at > ${newsFrom}`,
    ),
  ]
  return tx.rows(join(parts, ' union all '))
}
