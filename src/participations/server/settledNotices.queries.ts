import { sql, type Tx } from '../../kit/server/db.ts'
import type { Asked } from '../../notifications/server/notifications.ts'
import { offerHours } from '../terms.ts'

/** Whether what a reminder was about has been done since. Once the proof was due, a check-in was not what it was about. */
const stepTaken = sql`p.nda_accepted_at > n.told_at or p.link_opened_at > n.told_at or p.opted_in_at > n.told_at
  or p.no_access_at > n.told_at
  or p.proof_submitted_at > n.told_at or (p.last_seen_at > n.told_at and coalesce(p.proof_allowed_at > n.told_at, true))`

/** Kinds that ask for nothing are never settled. A tester may be at risk again, for another reason than the one they were told. */
export const settled = async (
  tx: Tx,
  asked: readonly (Asked & { testId: string })[],
  now: string,
): Promise<string[]> => {
  const rows = await tx.rows<{ id: string }>(sql`select n.id
    from unnest(${asked.map(({ id }) => id)}::uuid[], ${asked.map(({ kind }) => kind)}::text[],
      ${asked.map(({ testId }) => testId)}::uuid[], ${asked.map(({ createdAt }) => createdAt)}::timestamptz[])
      as n (id, kind, test_id, told_at) left join participations p on p.id = n.test_id
      left join campaigns c on c.id = p.campaign_id
    where case
      when n.kind = 'PROOF_TO_REVIEW' then p.status is distinct from 'SUBMITTED' or p.proof_submitted_at > n.told_at
        or exists (select from rejection_requests r where r.participation_id = n.test_id and r.outcome is null)
      when n.kind = 'CHANGES_REQUESTED' then p.status is distinct from 'CHANGES_REQUESTED' or p.proof_submitted_at > n.told_at
      when n.kind in ('TESTER_AT_RISK', 'TESTER_AT_RISK_OWNER')
        then p.status is distinct from 'ACTIVE' or not p.at_risk or p.last_seen_at > n.told_at
      when n.kind = 'CHECK_IN_DUE' then p.status is distinct from 'ACTIVE' or p.last_seen_at > n.told_at
        or (n.told_at at time zone p.time_zone)::date < (${now}::timestamptz at time zone p.time_zone)::date
      when n.kind in ('PROOF_LATE', 'PROOF_LATE_OWNER') then p.status is null
        or p.status not in ('ACTIVE', 'CHANGES_REQUESTED') or not p.proof_warned or p.proof_submitted_at > n.told_at
      when n.kind in ('OPT_IN_LATE', 'OPT_IN_LATE_OWNER') then p.status is null or p.status not in ('ACTIVE', 'CHANGES_REQUESTED')
        or not p.at_risk or p.opted_in_at is not null or c.status = 'CANCELLED'
      when n.kind = 'TESTER_NOT_LET_IN_OWNER'
        then p.status is distinct from 'ACTIVE' or p.listed_at is not null or p.no_access_at > n.told_at
      when n.kind = 'TESTER_DELETED_OWNER' then c.applied_at is not null
        or not exists (select from opt_in_runs r where r.participation_id = n.test_id and r.ended_at is null)
      when n.kind = 'OPT_IN_CONTESTED' then not exists (select from opt_in_runs r where r.participation_id = n.test_id
        and r.ended_at is null and r.contested_at is not null and r.contest_ended_at is null)
      when n.kind = 'WAITING_MAY_LEAVE'
        then p.status is distinct from 'ACTIVE' or p.listed_at is not null or p.opted_in_at is not null
      when n.kind in ('NDA_LATE', 'NDA_LATE_OWNER')
        then p.status is distinct from 'ACTIVE' or p.nda_joined is null or p.nda_accepted is not null
      when n.kind = 'NDA_ASKED' then p.closed_at is not null or c.nda_version is null or p.nda_accepted >= c.nda_version
      -- Without an appeal it is never settled, even once it is final.
      when n.kind = 'TEST_REJECTED' then exists (select from appeals a where a.participation_id = n.test_id)
      when n.kind in ('APPEAL_WAITS', 'GOODWILL_HELD_ADMIN') then p.status is distinct from 'APPEALED'
      when n.kind = 'NUDGE' then p.closed_at is not null or ${stepTaken}
      when n.kind = 'CONSENT_ASKED' then not exists (select from rejection_requests r
        where r.participation_id = n.test_id and r.outcome is null)
      when n.kind = 'SEAT_OFFERED' then not exists (select from bench_entries b where b.id = n.test_id 
          and after_downtimes(b.offered_at, ${offerHours}) > ${now})
      else false end`)
  return rows.map(({ id }) => id)
}
