/** SQL for what the provider did before a restore. */
import { raw } from 'sql-template-tag'
import type { Instant } from '../../kit/clock.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { DuePage } from '../../kit/server/eachDue.ts'
import type { DisputeOutcome } from '../terms.ts'
import type { DisputeFee } from './disputes.queries.ts'

export type LostPayout = { id: string; testerId: string; amountCents: number }

const beyond = (after: { id: string } | undefined) => (after ? sql`and id > ${after.id}` : empty)

/** Payouts that the tester's balance covers, and whose tester may withdraw. */
export const bookablePayouts = (tx: Tx, now: string, { limit, after }: DuePage<LostPayout>): Promise<LostPayout[]> =>
  tx.rows(sql`select l.id, l.of_id as "testerId", l.amount_cents as "amountCents"
    from lost_movements l join users u on u.id = l.of_id
      join accounts a on a.kind = 'TESTER_BALANCE' and a.owner_id = l.of_id
    where l.kind = 'PAYOUT' and l.booked_at is null and a.balance_cents >= l.amount_cents
      ${after ? sql`and (l.of_id, l.id) > (${after.testerId}, ${after.id})` : empty}
      and u.suspended_at is null and u.deleted_at is null
      and (u.payouts_paused_until is null or u.payouts_paused_until <= ${now})
    order by l.of_id, l.id limit ${limit}`)

export type LostCharge = {
  id: string
  campaignId: string
  amountCents: number
  feeCents: number
  provider: string
  reference: string
  at: string
}

/** False if the charge is known after all, or booked already. */
export const bookLostCharge = (tx: Tx, c: LostCharge, now: string): Promise<boolean> =>
  tx.value(sql`select book_lost_charge(${c.id}, ${c.campaignId}, ${c.amountCents}, ${c.feeCents}, ${c.provider}, ${c.reference},
    ${c.at}, ${now})`)

export type Returnable = {
  id: string
  reference: string
  key: string
  /** What a bank took of it by a dispute. */
  disputedCents: number
}

/** The disputed part of a lost charge; `row` is its alias in the query. */
export const disputedOf = (row: 'l' | 'x') =>
  sql`(select coalesce(sum(d.covered_cents), 0)::bigint from lost_disputes d where d.charge_id = ${raw(row)}.id)`

/** Charges that have not gone back completely. While a bank decides, the provider refunds nothing. */
export const returnableCharges = (tx: Tx, { limit, after }: DuePage<Returnable>): Promise<Returnable[]> =>
  tx.rows(sql`select id, reference, refund_key as key, ${disputedOf('l')} as "disputedCents" from lost_movements l
    where kind = 'CHARGE' and booked_at is null ${beyond(after)}
      and not exists (select from lost_disputes d where d.charge_id = l.id and d.status = 'OPEN')
    order by id limit ${limit}`)

/** Notes that the provider is about to be asked to give it back. */
export const sendLost = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update lost_movements set sent_at = coalesce(sent_at, ${now}) where id = ${id}`)

/** A refund under this key came back, so it is retried under another key. Repeating the call changes nothing. */
export const reopenLost = (tx: Tx, id: string, key: string, refundId: string, now: string): Promise<number> =>
  tx.run(sql`update lost_movements set booked_at = null, refund_key = 'lost:' || id || ':' || ${refundId}, returned_at = ${now}
    where id = ${id} and kind = 'CHARGE' and refund_key = ${key}`)

/** Books that a refund made by the original, or by another copy, came back. `reference` is the provider's id. */
export const returnLostRefund = (tx: Tx, id: string, reference: string, now: string): Promise<boolean> =>
  tx.value(sql`select return_lost_refund(${id}, ${reference}, ${now})`)

/** A lost refund that came back and is owed again: its amount had been deducted from refunds here. */
export type LostReturn = { id: string; paymentId: string; amountCents: number; key: string }

export const lostReturns = (tx: Tx, { limit, after }: DuePage<LostReturn>): Promise<LostReturn[]> =>
  tx.rows(sql`select id, payment_id as "paymentId", amount_cents as "amountCents", refund_key as key from lost_returns
    where true ${beyond(after)} order by id limit ${limit}`)

export const sendReturn = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update lost_returns set sent_at = coalesce(sent_at, ${now}) where id = ${id}`)

export const payLostReturn = (tx: Tx, id: string, reference: string): Promise<boolean> =>
  tx.value(sql`select pay_lost_return(${id}, ${reference})`)

/** For a transfer that came back before its payout was booked here, so that nothing has to be deducted from the balance. */
export const forgetLostPayout = (tx: Tx, id: string): Promise<number> =>
  tx.run(sql`delete from lost_movements where id = ${id} and kind = 'PAYOUT' and booked_at is null`)

export type LostDispute = {
  id: string
  provider: string
  reference: string
  chargeId: string
  amountCents: number
  reason: string
  status: 'OPEN' | DisputeOutcome
  /** How much of the charge had gone back by then. */
  refundedCents: number
  fees: readonly DisputeFee[]
  at: Instant
}

/** `NOT_FOUND`: the dispute is not about a lost charge. */
export const bookLostDispute = (tx: Tx, d: LostDispute, now: Instant): Promise<'OPEN' | DisputeOutcome | 'NOT_FOUND'> =>
  tx.value(sql`select book_lost_dispute(${d.id}, ${d.provider}, ${d.reference}, ${d.chargeId}, ${d.amountCents}, ${d.reason},
    ${d.status}, ${d.refundedCents}, ${d.fees.map(({ movement }) => movement)}::text[], ${d.fees.map(({ cents }) => cents)}::bigint[],
    ${d.at}, ${now})`)

/** Before this time, someone may have been sent to a payment page that nobody here knows of; null if nothing was ever restored. */
export const lastRestored = (tx: Tx): Promise<string | null> =>
  tx.value(sql`select max(resumed_at) as at from job_pauses where reason = 'RESTORED'`)

export const setBooked = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update lost_movements set booked_at = ${now} where id = ${id} and booked_at is null`)

/** What blocks a tester's withdrawals after a restore. */
export type AfterRestore = { isPaused: boolean; lostCents: number }

export const afterRestore = async (tx: Tx, testerId: string): Promise<AfterRestore> =>
  (await tx.maybe<AfterRestore>(sql`select
    exists(select from job_pauses where resumed_at is null and reason = 'RESTORED') as "isPaused",
    (select coalesce(sum(amount_cents), 0)::bigint from lost_movements
      where of_id = ${testerId} and kind = 'PAYOUT' and booked_at is null) as "lostCents"`))!

/** Whether jobs have resumed after a pause since then. */
export const resumedSince = (tx: Tx, since: string): Promise<boolean> =>
  tx.value(sql`select coalesce((select resumed_at from job_pauses order by paused_at desc limit 1)
    > ${since}, false) as resumed`)

export const lockCampaign = (tx: Tx, id: string): Promise<object | undefined> =>
  tx.maybe(sql`select from campaigns where id = ${id} for update`)
