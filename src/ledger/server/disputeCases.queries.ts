/** SQL for disputes as admins see them. */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { rowLimit } from '../../kit/server/rowLimits.ts'
import type { Dispute, DisputeCase, DisputeList } from '../disputesContract.ts'

export type DisputeRow = Omit<Dispute, 'campaign' | 'developer'> & {
  seq: number
  campaignId: string
  campaignTitle: string
  developerId: string
  developerName: string
}

const columns = sql`d.id, d.seq, d.amount_cents as "amountCents", d.reason, d.status, d.opened_at as "openedAt",
  d.evidence_due_at as "evidenceDueAt", d.closed_at as "closedAt", d.give_back_cents as "giveBackCents",
  case d.status when 'LOST' then d.amount_cents - d.covered_cents - d.set_off_cents - d.settled_cents else 0 end as "owedCents",
  c.id as "campaignId", c.title as "campaignTitle", u.id as "developerId", u.name as "developerName"`
const tables = sql`disputes d join campaigns c on c.id = d.campaign_id join users u on u.id = c.developer_id`

type List = { limit: number; cursor: string | undefined; status: DisputeList | undefined }

const lists = {
  OPEN: sql`d.status = 'OPEN'`,
  OWED: sql`(d.status = 'LOST' and d.covered_cents + d.set_off_cents + d.settled_cents < d.amount_cents
    or d.give_back_cents > 0)`,
}

/** The cursor is a position in the queue, which stays valid after its dispute has been closed. */
export const list = (tx: Tx, { limit, cursor, status }: List): Promise<DisputeRow[]> =>
  tx.rows(sql`select ${columns} from ${tables} where ${status === undefined ? sql`true` : lists[status]}
    ${cursor ? sql`and d.seq > ${cursor}` : empty} order by d.seq limit ${rowLimit(limit)}`)

export type WholeRow = DisputeRow &
  Pick<
    DisputeCase,
    | 'paymentId'
    | 'paidAt'
    | 'paymentCents'
    | 'paymentMethod'
    | 'coveredCents'
    | 'setOffCents'
    | 'settledCents'
    | 'waivedCents'
    | 'heldCents'
    | 'note'
    | 'ended'
    | 'inside'
  > & {
    provider: string
    reference: string
    /** A test value of the sandbox has announced the outcome. */
    tells: boolean
    /** What follows from the campaign's disputes has not been done yet. */
    isUnsettled: boolean
  }

export const whole = (tx: Tx, id: string): Promise<WholeRow> =>
  tx.one(
    sql`select ${columns}, d.payment_id as "paymentId", p.created_at as "paidAt", p.amount_cents as "paymentCents",
      p.counterparty as "paymentMethod", d.covered_cents as "coveredCents", d.set_off_cents as "setOffCents",
      d.settled_cents as "settledCents", d.waived_cents as "waivedCents", d.note, d.provider, d.reference, c.after_dispute as "isUnsettled",
      (select coalesce(sum(balance_cents), 0)::bigint from accounts
        where kind in ('CAMPAIGN_ESCROW', 'CAMPAIGN_FEE') and owner_id = c.id) as "heldCents",
      c.status in ('COMPLETED', 'CANCELLED') as ended,
      (select count(*) from participations i where i.campaign_id = c.id and i.closed_at is null
        and i.status in ('ACTIVE', 'SUBMITTED', 'CHANGES_REQUESTED')) as inside,
      exists (select from provider_events e where e.provider = d.provider and e.event_id = 'dispute-closed:' || d.payment_id
        and e.processed_at is null) as tells
    from ${tables} join payments p on p.id = d.payment_id where d.id = ${id}`,
    'Dispute',
  )

/** Locks the campaign's row first, as all code does. */
export const lockWhole = async (tx: Tx, id: string): Promise<WholeRow> => {
  await tx.run(sql`select from campaigns where id = (select campaign_id from disputes where id = ${id}) for update`)
  return whole(tx, id)
}

export const setNote = async (tx: Tx, id: string, note: string): Promise<void> => {
  await tx.one(sql`update disputes set note = ${note} where id = ${id} returning id`, 'Dispute')
}

export const evidence = (tx: Tx, id: string): Promise<DisputeCase['evidence']> =>
  tx.one(
    sql`select count(p.id) as testers, coalesce(sum(p.check_in_count - count_voided_days(p.id)), 0)::int as "checkIns",
      count(p.proof_submitted_at) as proofs, count(*) filter (where p.status = 'VERIFIED') as verified,
      coalesce(sum(p.payout_amount_cents) filter (where p.status in ('VERIFIED', 'CANCELLED')), 0)::bigint as "paidOutCents"
    from disputes d left join participations p on p.campaign_id = d.campaign_id where d.id = ${id} group by d.id`,
    'Dispute',
  )

type SettlementRow = Omit<DisputeCase['settlements'][number], 'recordedBy'> & {
  recorderId: string
  recorderName: string
}

export const settlements = (tx: Tx, disputeId: string): Promise<SettlementRow[]> =>
  tx.rows(sql`select s.id, kind, amount_cents as "amountCents", note, recorded_by as "recorderId", u.name as "recorderName",
      recorded_at as "recordedAt"
    from dispute_settlements s join users u on u.id = s.recorded_by where dispute_id = ${disputeId}
    order by recorded_at, s.id`)
