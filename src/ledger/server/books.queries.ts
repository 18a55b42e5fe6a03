/** SQL for what the provider holds for us, according to our books. */
import { clock, type Instant } from '../../kit/clock.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import type { CallKind } from './provider.ts'
import { disputedOf } from './lostMovements.queries.ts'

const cash = sql`(select id from accounts where kind = 'PROVIDER_CASH')`

/** What the changes in `money_changes` add to the provider's cash. */
const ofChanges = sql`(select coalesce(sum(case ${cash} when credit_account_id then cents when debit_account_id then -cents end), 0)
  from money_changes)`

const ofTransfers = sql`(select coalesce(sum(amount_cents), 0) from transfers where credit_account_id = ${cash})
  - (select coalesce(sum(amount_cents), 0) from transfers where debit_account_id = ${cash})`

/** Sums up all transfers of the provider's cash once. From then on, the check that runs every minute maintains the sum. */
export const countCash = (tx: Tx): Promise<number> =>
  tx.run(sql`insert into provider_cash (cents, counted_at)
    select ${ofTransfers} - ${ofChanges}, ${clock.now()} where not exists (select from provider_cash)
    on conflict (only_row) do nothing`)

/** Calls that were sent to the provider and are not answered yet: always few, however many others wait. */
const sentOf = (kind: CallKind) =>
  sql`(select subject_id from provider_calls where status = 'PENDING' and kind = ${kind} and sent_at is not null) c`

/** The original may have sent anything that is older than the last restore. */
const restoredAt = sql`(select coalesce(max(resumed_at), '-infinity') from job_pauses where reason = 'RESTORED')`

/** Without a restore, nothing older has to be searched. */
const wasRestored = sql`(select exists (select from job_pauses where reason = 'RESTORED'))`

/** What the original had refunded of a lost charge `l`. */
const backOfLost = sql`(select coalesce(sum(r.amount_cents), 0) from lost_movements r where r.kind = 'REFUND' and r.of_id = l.id)`

export type Books = {
  /** Received minus paid out, including charges that are on their way. */
  cashCents: number
  /** What the provider paid before a restore and is not booked yet, minus what it took in. */
  lostCents: number
  /** Payouts, refunds and disputes that the provider may have paid already: those that it was asked for, and what banks dispute. */
  outCents: number
  /** Charges on their way, and the part of them that the provider was not asked for yet. */
  inCents: number
  unsentCents: number
  /** Payouts that came back and are about to be booked. */
  returnedCents: number
}

/** Everything as of one moment. All money comes from the cash account, so receipts are on its debit side. */
export const booksNow = (tx: Tx, inFull: boolean): Promise<Books> =>
  tx.one(
    sql`select
      (-(${inFull ? sql`${ofTransfers}` : sql`(select cents from provider_cash) + ${ofChanges}`}))::bigint as "cashCents",
      (select coalesce(sum(amount_cents), 0)::bigint from lost_movements where kind = 'REFUND')
        + (select coalesce(sum(amount_cents), 0)::bigint from lost_movements where kind = 'PAYOUT' and booked_at is null)
        - (select coalesce(sum(covered_cents), 0)::bigint from refund_parts where covered_cents > 0 and status = 'COMPLETED')
        - (select coalesce(sum(case when booked_at is null then amount_cents - ${disputedOf('l')} else ${backOfLost} end), 0)::bigint
          from lost_movements l where kind = 'CHARGE')
        as "lostCents",
      (select coalesce(sum(w.amount_cents), 0)::bigint from ${sentOf('PAYOUT')} join withdrawals w on w.id = c.subject_id
          where w.status = 'PENDING')
        + (select coalesce(sum(w.amount_cents), 0)::bigint from withdrawals w where ${wasRestored} and w.status = 'PENDING'
          and (w.created_at <= ${restoredAt} or exists (select from lost_movements l where l.id = w.id))
          and not exists (select from ${sentOf('PAYOUT')} where c.subject_id = w.id))
        + (select coalesce(sum(p.amount_cents), 0)::bigint from ${sentOf('REFUND')} join refund_parts p on p.id = c.subject_id
          where p.status = 'PENDING')
        + (select coalesce(sum(p.amount_cents), 0)::bigint from refund_parts p join refunds r on r.id = p.refund_id
          where ${wasRestored} and p.status = 'PENDING' and r.created_at <= ${restoredAt}
          and not exists (select from ${sentOf('REFUND')} where c.subject_id = p.id))
        + (select coalesce(sum(amount_cents - ${disputedOf('l')} - ${backOfLost}), 0)::bigint from lost_movements l
          where kind = 'CHARGE' and sent_at is not null and booked_at is null)
        + (select coalesce(sum(amount_cents), 0)::bigint from lost_returns where sent_at is not null)
        + (select coalesce(sum(amount_cents), 0)::bigint from lost_disputes where status = 'OPEN')
        + (select coalesce(sum(amount_cents), 0)::bigint from disputes where status = 'OPEN') as "outCents",
      (select coalesce(sum(pay_cents + fee_cents), 0)::bigint from charges where status = 'PENDING') as "inCents",
      (select coalesce(sum(pay_cents + fee_cents), 0)::bigint from charges h where status = 'PENDING'
        and not (h.created_at <= ${restoredAt} or exists (select from provider_calls c
          where c.subject_id = h.id and c.status = 'PENDING' and c.sent_at is not null))) as "unsentCents",
      (select coalesce(sum(w.amount_cents), 0)::bigint from provider_events e
        join withdrawals w on w.id = (e.payload->>'withdrawalId')::uuid
        where e.processed_at is null and w.status = 'COMPLETED') as "returnedCents"`,
    'Books',
  )

type Compared = { provider: string; balanceCents: number; leastCents: number; mostCents: number; offCents: number }

/** For a difference that is no breach yet: `offSince` is when it was first seen, `standingCents` the smallest amount it has had. */
type Recorded = Compared & { offSince: Instant | null; standingCents: number }

export const recordComparison = (tx: Tx, c: Recorded & { now: Instant }): Promise<number> =>
  tx.run(sql`insert into provider_comparisons (compared_at, provider, balance_cents, least_cents, most_cents, off_cents,
      off_since, standing_cents)
    values (${c.now}, ${c.provider}, ${c.balanceCents}, ${c.leastCents}, ${c.mostCents}, ${c.offCents}, ${c.offSince},
      ${c.standingCents})
    on conflict (only_row) do update set compared_at = excluded.compared_at, provider = excluded.provider,
      balance_cents = excluded.balance_cents, least_cents = excluded.least_cents, most_cents = excluded.most_cents,
      off_cents = excluded.off_cents, off_since = excluded.off_since, standing_cents = excluded.standing_cents`)

export type LastComparison = Recorded & { at: Instant }

const last = sql`select compared_at as at, provider, balance_cents as "balanceCents", least_cents as "leastCents",
  most_cents as "mostCents", off_cents as "offCents", off_since as "offSince", standing_cents as "standingCents"
  from provider_comparisons where only_row`

export const lastComparison = (tx: Tx): Promise<LastComparison | undefined> => tx.maybe(last)

/** Locked until the end of the transaction, so that concurrent comparisons wait. */
export const lockComparison = (tx: Tx): Promise<LastComparison | undefined> => tx.maybe(sql`${last} for update`)
