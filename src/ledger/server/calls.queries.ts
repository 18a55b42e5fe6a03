/** SQL for calls to providers. */
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { DuePage } from '../../kit/server/eachDue.ts'
import type { Instant } from '../../kit/clock.ts'
import { type Outcome, outcomeOf } from './queries.ts'
import type { Asked, CallKind } from './provider.ts'

export type Call = Asked & {
  provider: string
  kind: CallKind
  /** The provider carried it out before a restore: it is only booked, and never sent. */
  isLost: boolean
}

/**
 * When we first asked this provider for anything, in whole seconds like Stripe's own times; null if we never did. Payout accounts
 * exist only at Stripe, and may be opened before the first payment.
 */
export const firstCallAt = (tx: Tx, provider: string): Promise<Instant | null> =>
  tx.value(sql`select date_trunc('second', least(
    (select min(created_at) from provider_calls where provider = ${provider}),
    (select min(created_at) from payout_accounts where ${provider} = 'stripe')))`)

/**
 * Marks the open call of a subject as sent. Returns undefined if the call is settled, or if it is a refund that was never sent and
 * whose payment is disputed: `settleDisputes` retries that one later. The amount of a refund is fixed when it is first sent, not
 * when the call is recorded: only later do we learn what was paid before a restore, and a bank may pay a part in between.
 */
export const sendCall = (tx: Tx, subjectId: string, now: Instant): Promise<Call | undefined> =>
  tx.maybe(sql`with sent as (
      update provider_calls set sends = sends + 1, sent_at = coalesce(sent_at, ${now}),
        amount_cents = case when kind = 'REFUND' and sent_at is null then (select r.amount_cents - coalesce(r.covered_cents, 0)
          from refund_parts r where r.id = ${subjectId}) else amount_cents end
      where subject_id = ${subjectId} and status = 'PENDING' and (kind <> 'REFUND' or sent_at is not null
        or not is_kept_by_dispute((select payment_id from refund_parts where id = ${subjectId}))) returning *
    )
    select s.provider, s.kind, s.key, s.subject_id as "subjectId", s.sent_at as "sentAt",
      coalesce(c.campaign_id, w.tester_id, r.payment_id) as of,
      coalesce(c.pay_cents + c.fee_cents, w.amount_cents, r.amount_cents) as "amountCents",
      coalesce(c.counterparty, w.destination, r.counterparty) as counterparty, coalesce(r.covered_cents, 0) as "earlierCents",
      begun.at as "begunAt", lost.is as "isLost", lost.is or exists (select from job_pauses p where p.reason = 'RESTORED'
        and (p.resumed_at is null or p.resumed_at >= begun.at)) as "mayBeMade"
    from sent s left join charges c on s.kind = 'CHARGE' and c.id = s.subject_id
      left join withdrawals w on s.kind = 'PAYOUT' and w.id = s.subject_id
      left join refund_parts r on s.kind = 'REFUND' and r.id = s.subject_id left join refunds f on f.id = r.refund_id,
      lateral (select coalesce(c.created_at, w.created_at, f.created_at, s.created_at) as at) begun,
      lateral (select exists (select from lost_movements l where l.id = s.subject_id) as is) lost`)

/** Locks the attempt until the end of the transaction; false when it is settled. */
export const holdCall = async (tx: Tx, { subjectId, key }: Pick<Call, 'subjectId' | 'key'>): Promise<boolean> =>
  (await tx.maybe(sql`select from provider_calls where subject_id = ${subjectId} and key = ${key} and status = 'PENDING'
    for update`)) !== undefined

export const noteReference = (tx: Tx, subjectId: string, reference: string): Promise<number> =>
  tx.run(sql`update provider_calls set reference = ${reference} where subject_id = ${subjectId} and status = 'PENDING'`)

/**
 * Counts the follow-up looks at a pending call. Only the newest look enqueues the next; undefined means that this one is not the
 * newest. A look of 0 (from an event, the sweep or a job of an older release) enqueues the first one if there was none yet. If the
 * chain breaks off, the hourly sweep takes over.
 */
export const noteNextLook = async (tx: Tx, subjectId: string, look: number): Promise<number | undefined> =>
  (
    await tx.maybe<{ looks: number }>(sql`update provider_calls set looks = looks + 1
      where subject_id = ${subjectId} and status = 'PENDING' and looks = ${look} returning looks`)
  )?.looks

/** The number of attempts so far. A retry carries it as `after`, and does nothing if there has been another attempt since. */
export const attemptsOf = (tx: Tx, subjectId: string): Promise<number> =>
  tx.value(sql`select count(*) from provider_calls where subject_id = ${subjectId}`)

/** An answer from before the provider began to collect may come late, and must not offer the page again. */
export const noteCheckout = (tx: Tx, chargeId: string, url: string): Promise<number> =>
  tx.run(sql`update charges set checkout_url = ${url}
    where id = ${chargeId} and status = 'PENDING' and collecting_since is null`)

export const noteCollecting = (tx: Tx, chargeId: string, now: Instant): Promise<number> =>
  tx.run(sql`update charges set checkout_url = null, collecting_since = ${now}
    where id = ${chargeId} and status = 'PENDING' and collecting_since is null`)

/** Refuses this attempt, while its subject waits for the next. Returns 0 when somebody else has settled it. */
export const refuseCall = (tx: Tx, subjectId: string, reason: string, now: Instant): Promise<number> =>
  tx.run(sql`update provider_calls set status = 'REFUSED', reason = ${reason}, settled_at = ${now}
    where subject_id = ${subjectId} and status = 'PENDING'`)

export type ChargeAnswer = {
  answer: 'PAID' | 'REFUSED' | 'EXPIRED'
  failure: string | null
  feeCents: number
  /** The id for the refund that is made if the campaign no longer wants the charge. */
  refundId: string
}

/** `RETURNED`: the refund with this id was made. */
export const settleCharge = (tx: Tx, id: string, a: ChargeAnswer, now: Instant): Promise<Outcome | 'RETURNED'> =>
  tx.value(sql`select settle_charge(${id}, ${a.answer}, ${a.failure}, ${a.feeCents}, ${a.refundId}, ${now})`)

export type SettledCharge = {
  status: 'FAILED' | 'RETURNED' | 'COMPLETED' | 'CANCELLED'
  developerId: string
  campaignId: string
  title: string
  amountCents: number
  reason: string
  isDraft: boolean
  renews: boolean
}

/** The facts for the developer's notification; undefined once the account is deleted. */
export const settledCharge = (tx: Tx, id: string): Promise<SettledCharge | undefined> =>
  tx.maybe(sql`select h.status, h.developer_id as "developerId", h.campaign_id as "campaignId", c.title,
      (h.pay_cents + h.fee_cents)::bigint as "amountCents", coalesce(h.failure_reason, '') as reason, c.status = 'DRAFT' as "isDraft", h.renews
    from charges h join campaigns c on c.id = h.campaign_id join users u on u.id = h.developer_id and u.deleted_at is null
    where h.id = ${id}`)

export type GivenUp = Pick<Asked, 'key' | 'subjectId' | 'amountCents' | 'begunAt'>

/** A charge that was settled as unpaid. Charges that Stripe refused are not found, since they have no page to pay on. */
export const givenUpCharge = (tx: Tx, chargeId: string): Promise<GivenUp | undefined> =>
  tx.maybe(sql`select p.key, c.id as "subjectId", c.pay_cents + c.fee_cents as "amountCents", c.created_at as "begunAt"
    from charges c join provider_calls p on p.subject_id = c.id and p.status = 'REFUSED'
    where c.id = ${chargeId} and c.status = 'CANCELLED'`)

export const noteLateReference = (tx: Tx, key: string, reference: string): Promise<number> =>
  tx.run(sql`update provider_calls set reference = ${reference} where key = ${key} and status = 'REFUSED'`)

export const refuseRefundPart = (tx: Tx, id: string, reason: string, now: Instant): Promise<Outcome> =>
  outcomeOf(tx, sql`refuse_refund_part(${id}, ${reason}, ${now})`)

type Stuck = { after: number; notCounting: string; now: Instant }

/** Returns 0 until the part has been refused often enough. A part that an admin had retried keeps its earlier `stuck_since`. */
export const noteStuck = (tx: Tx, partId: string, { after, notCounting, now }: Stuck): Promise<number> =>
  tx.run(sql`update refund_parts set stuck_since = coalesce(stuck_since, ${now}), retry_asked_at = null where id = ${partId} and status = 'PENDING' and (
    select count(*) from provider_calls where subject_id = ${partId} and status = 'REFUSED' and reason <> ${notCounting}) >= ${after}`)

/** Books that the attempt with this `reference` came back after it had been paid. */
export const returnRefundPart = (
  tx: Tx,
  id: string,
  reference: string,
  reason: string,
  now: Instant,
): Promise<Outcome> => outcomeOf(tx, sql`return_refund_part(${id}, ${reference}, ${reason}, ${now})`)

/** Other parts of the same refund that are owed and were never sent to the provider. */
export const untriedParts = async (tx: Tx, partId: string): Promise<string[]> => {
  const rows = await tx.rows<{ id: string }>(sql`select other.id from refund_parts part
    join refund_parts other on other.refund_id = part.refund_id and other.status = 'PENDING' and other.stuck_since is null
    where part.id = ${partId} and not exists (select from provider_calls where subject_id = other.id)`)
  return rows.map(({ id }) => id)
}

/** Charges begun before `before` that are still open, oldest first. */
export const overdueCharges = (
  tx: Tx,
  before: Instant,
  { limit, after }: DuePage<{ id: string }>,
): Promise<{ id: string }[]> =>
  tx.rows(sql`select id from charges where status = 'PENDING' and created_at <= ${before}
    ${after ? sql`and id > ${after.id}` : empty} order by id limit ${limit}`)
