import { sql, type Tx } from '../../kit/server/db.ts'
import type { Asked } from '../../notifications/server/notifications.ts'
import { offerHours } from '../terms.ts'

/** Kinds that ask for nothing are never settled. */
export const settled = async (tx: Tx, asked: readonly Asked[], now: string): Promise<string[]> => {
  const rows = await tx.rows<{ id: string }>(sql`select n.id
    from unnest(${asked.map(({ id }) => id)}::uuid[], ${asked.map(({ kind }) => kind)}::text[],
      ${asked.map(({ testId }) => testId)}::uuid[], ${asked.map(({ createdAt }) => createdAt)}::timestamptz[])
      as n (id, kind, test_id, told_at) left join participations p on p.id = n.test_id
    where case
      when n.kind = 'PROOF_TO_REVIEW' then p.status is distinct from 'SUBMITTED' or p.proof_submitted_at > n.told_at
      when n.kind = 'CHANGES_REQUESTED' then p.status is distinct from 'CHANGES_REQUESTED'
      when n.kind in ('TESTER_AT_RISK', 'TESTER_AT_RISK_OWNER') then p.status is distinct from 'ACTIVE' or not p.at_risk
      when n.kind = 'CHECK_IN_DUE' then p.status is distinct from 'ACTIVE' or p.last_seen_at > n.told_at
      when n.kind in ('PROOF_LATE', 'PROOF_LATE_OWNER') then p.status is null or p.status not in ('ACTIVE', 'CHANGES_REQUESTED')
      when n.kind in ('OPT_IN_LATE', 'OPT_IN_LATE_OWNER', 'NDA_LATE', 'NDA_LATE_OWNER', 'NUDGE') then p.closed_at is not null
      when n.kind = 'SEAT_OFFERED' then not exists (select from bench_entries b where b.id = n.test_id 
          and after_downtimes(b.offered_at, ${offerHours}) > ${now})
      else false end`)
  return rows.map(({ id }) => id)
}
