import { empty, sql, type Tx } from '../../kit/server/db.ts'
import type { DuePage } from '../../kit/server/jobs.ts'
import { keysetOf, type NumberedList, type Slice } from '../../kit/server/numberedLists.ts'
import type { ErrorCode } from '../../kit/errors.ts'
import type { Payment, PaymentSummary, Refund, Transaction, TransactionQuery, Withdrawal } from '../contract.ts'

/** What a money function of migrations/functions answers: done, or the code of the refusal. */
export type Outcome =
  | 'OK'
  | Extract<
      ErrorCode,
      'NOT_FOUND' | 'WRONG_STATE' | 'WRONG_AMOUNT' | 'INSUFFICIENT_BALANCE' | 'PAYOUT_METHOD_PAUSED' | 'SUSPENDED'
    >

const outcomeOf = (tx: Tx, call: ReturnType<typeof sql>): Promise<Outcome> => tx.value(sql`select ${call}`)

export type Funding = {
  paymentId: string
  campaignId: string
  developerId: string
  amountCents: number
  provider: string
  counterparty: string
  now: string
}

export const fundCampaign = (tx: Tx, f: Funding): Promise<Outcome> =>
  outcomeOf(
    tx,
    sql`fund_campaign(${f.paymentId}, ${f.campaignId}, ${f.developerId}, ${f.amountCents}, ${f.provider},
      ${f.counterparty}, ${f.now})`,
  )

/** When the developer's last `limit` payments were declined that were made after `since`, the newest first. */
export const declinedSince = async (tx: Tx, developerId: string, since: string, limit: number): Promise<string[]> =>
  (
    await tx.rows<{ at: string }>(sql`select created_at as at from payments
      where developer_id = ${developerId} and status = 'FAILED' and created_at > ${since}
      order by created_at desc limit ${limit}`)
  ).map(({ at }) => at)

export const insertDeclinedPayment = async (tx: Tx, f: Funding, reason: string): Promise<void> => {
  await tx.run(sql`
    insert into payments (id, campaign_id, developer_id, amount_cents, provider, counterparty, status, failure_reason,
      created_at)
    values (${f.paymentId}, ${f.campaignId}, ${f.developerId}, ${f.amountCents}, ${f.provider}, ${f.counterparty}, 'FAILED',
      ${reason}, ${f.now})`)
  await tx.run(sql`
    insert into transactions (user_id, type, status, amount_cents, description, campaign_id, source_id, created_at)
    values (${f.developerId}, 'DEBIT', 'FAILED', ${f.amountCents}, 'Declined payment', ${f.campaignId}, ${f.paymentId}, ${f.now})`)
}

/** `REFUNDED` is `OK`, with the refund of this id made. */
export type RefundOutcome = Outcome | 'REFUNDED'

const refundOutcomeOf = (tx: Tx, refundId: string, call: ReturnType<typeof sql>): Promise<RefundOutcome> =>
  tx.value(sql`select after_refund(${call}, ${refundId})`)

export const cancelCampaign = (tx: Tx, campaignId: string, refundId: string, now: string): Promise<RefundOutcome> =>
  refundOutcomeOf(tx, refundId, sql`cancel_campaign(${campaignId}, ${refundId}, ${now})`)

/** Gives those that were due, as the others of many do. */
export const completeCampaigns = (
  tx: Tx,
  ids: readonly string[],
  refundIds: readonly string[],
  now: string,
): Promise<string[]> => tx.value(sql`select complete_campaigns(${ids}, ${refundIds}, ${now})`)

export const verifyParticipation = (tx: Tx, id: string, reviewerId: string | null, now: string): Promise<Outcome> =>
  outcomeOf(tx, sql`verify_participation(${id}, ${reviewerId}, ${now})`)

export const verifyParticipations = (tx: Tx, ids: readonly string[], now: string): Promise<string[]> =>
  tx.value(sql`select verify_participations(${ids}, null, ${now})`)

export type UnpaidClosing = {
  participationId: string
  from: readonly string[]
  to: 'REJECTED' | 'DROPPED'
  reviewerId?: string
  rejection?: { code: string; reason: string }
  dropReason?: string
}

export const closeUnpaid = (tx: Tx, closing: UnpaidClosing, refundId: string, now: string): Promise<RefundOutcome> =>
  refundOutcomeOf(
    tx,
    refundId,
    sql`close_unpaid(${closing.participationId}, ${closing.from}, ${closing.to}, ${closing.reviewerId ?? null},
      ${closing.rejection?.code ?? null}, ${closing.rejection?.reason ?? null}, ${closing.dropReason ?? null},
      false, ${refundId}, ${now})`,
  )

/** What the clock drops, each test for its reason. */
export type DueDrops = { from: readonly string[]; drops: readonly { id: string; reason: string }[] }

export const dropWhenDue = (
  tx: Tx,
  { from, drops }: DueDrops,
  refundIds: readonly string[],
  now: string,
): Promise<string[]> =>
  tx.value(sql`select close_all_unpaid(${drops.map(({ id }) => id)}, ${from}, 'DROPPED', null, null, null,
    ${drops.map(({ reason }) => reason)}, true, ${refundIds}, ${now})`)

/** After a week of waiting at the tester's wish; `whenDue` after two, when the clock ends it. */
export type WaitingClosing = { participationId: string; whenDue: boolean }

export const closeWaitingSeat = (
  tx: Tx,
  { participationId, whenDue }: WaitingClosing,
  refundId: string,
  now: string,
): Promise<RefundOutcome> =>
  refundOutcomeOf(tx, refundId, sql`close_waiting_seat(${participationId}, ${whenDue}, ${refundId}, ${now})`)

/** After two weeks, by the clock. */
export const closeWaitingSeats = (
  tx: Tx,
  ids: readonly string[],
  refundIds: readonly string[],
  now: string,
): Promise<string[]> => tx.value(sql`select close_waiting_seats(${ids}, true, ${refundIds}, ${now})`)

export const closeFreeSeat = (tx: Tx, campaignId: string, refundId: string, now: string): Promise<RefundOutcome> =>
  refundOutcomeOf(tx, refundId, sql`close_free_seat(${campaignId}, ${refundId}, ${now})`)

export const refundsAmong = async (tx: Tx, ids: readonly string[]): Promise<string[]> =>
  (await tx.rows<{ id: string }>(sql`select id from refunds where id = any(${ids})`)).map(({ id }) => id)

export type WithdrawalRequest = { id: string; testerId: string; amountCents: number; pauseHours: number; now: string }

export const requestWithdrawal = (tx: Tx, r: WithdrawalRequest): Promise<Outcome> =>
  outcomeOf(
    tx,
    sql`request_withdrawal(${r.id}, ${r.testerId}, ${r.amountCents}, make_interval(hours => ${r.pauseHours}), ${r.now})`,
  )

export const settleWithdrawal = (tx: Tx, id: string, failure: string | null, now: string): Promise<Outcome> =>
  outcomeOf(tx, sql`settle_withdrawal(${id}, ${failure}, ${now})`)

export const settleRefundPart = (tx: Tx, id: string, now: string): Promise<Outcome> =>
  outcomeOf(tx, sql`settle_refund_part(${id}, ${now})`)

export type WithdrawalRow = Omit<Withdrawal, 'balanceCents'> & { testerId: string }

export type ClaimedWithdrawal = Pick<WithdrawalRow, 'testerId' | 'amountCents' | 'destination'>

export const withdrawalById = (tx: Tx, id: string): Promise<WithdrawalRow | undefined> =>
  tx.maybe(sql`select id, tester_id as "testerId", amount_cents as "amountCents", status, destination,
    created_at as "createdAt" from withdrawals where id = ${id}`)

/** Holds the tester's row, so that a suspension comes before or after. Undefined when it is settled, or frozen. */
export const claimWithdrawal = async (tx: Tx, id: string, now: string): Promise<ClaimedWithdrawal | undefined> => {
  await tx.maybe(sql`select from users where id = (select tester_id from withdrawals where id = ${id}) for share`)
  return tx.maybe(sql`update withdrawals w set claimed_at = coalesce(w.claimed_at, ${now}) from users u
    where w.id = ${id} and u.id = w.tester_id and w.status = 'PENDING'
      and (w.claimed_at is not null or u.suspended_at is null)
    returning w.tester_id as "testerId", w.amount_cents as "amountCents", w.destination`)
}

export const pendingWithdrawalIds = async (tx: Tx, testerId: string): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`select id from withdrawals where tester_id = ${testerId} and status = 'PENDING'`)
  ).map(row => row.id)

export type RefundPartRow = { amountCents: number; status: string; chargedTo: string }

export const refundPartById = (tx: Tx, id: string): Promise<RefundPartRow | undefined> =>
  tx.maybe(
    sql`select amount_cents as "amountCents", status, counterparty as "chargedTo" from refund_parts where id = ${id}`,
  )

export const pendingRefundPartIds = async (tx: Tx, refundId: string): Promise<string[]> =>
  (
    await tx.rows<{ id: string }>(sql`select id from refund_parts where refund_id = ${refundId} and status = 'PENDING'`)
  ).map(row => row.id)

/**
 * Still in transit although asked for before `before`, about the oldest first. Not those that a suspension froze, which
 * wait for good reason and would hold up the others.
 */
export const overdueWithdrawals = (tx: Tx, before: string, { limit, except }: DuePage): Promise<{ id: string }[]> =>
  tx.rows(sql`select w.id from withdrawals w join users u on u.id = w.tester_id
    where w.status = 'PENDING' and w.created_at <= ${before} and w.id <> all(${except})
      and (u.suspended_at is null or w.claimed_at is not null) order by w.id limit ${limit}`)

export const overdueRefundParts = (tx: Tx, before: string, { limit, except }: DuePage): Promise<{ id: string }[]> =>
  tx.rows(sql`select p.id from refunds r join refund_parts p on p.refund_id = r.id and p.status = 'PENDING'
    where r.status = 'PENDING' and r.created_at <= ${before} and p.id <> all(${except})
    order by r.id, p.id limit ${limit}`)

/** Answers the reason of the decline, the first one when it was asked before. */
export const insertSandboxMovement = async (
  tx: Tx,
  m: {
    requestId: string
    kind: string
    amountCents: number
    counterparty: string
    declined: string | null
    at: string
  },
): Promise<string | null> => {
  const inserted = await tx.run(sql`
    insert into sandbox_movements (request_id, kind, amount_cents, counterparty, decline_reason, at)
    values (${m.requestId}, ${m.kind}, ${m.amountCents}, ${m.counterparty}, ${m.declined}, ${m.at})
    on conflict (request_id) do nothing`)
  if (inserted === 1) return m.declined
  return tx.value(sql`select decline_reason from sandbox_movements where request_id = ${m.requestId}`)
}

export const balanceOf = (tx: Tx, testerId: string): Promise<{ balanceCents: number; onTheWayCents: number }> =>
  tx.one(
    sql`select balance_of_tester(${testerId}) as "balanceCents",
      (select coalesce(sum(amount_cents), 0)::bigint from withdrawals where tester_id = ${testerId} and status = 'PENDING')
        as "onTheWayCents"`,
    'Balance',
  )

type TransactionRow = Omit<Transaction, 'campaign'> & {
  campaignId: string | null
  campaignTitle: string | null
  seq: number
}

type Filters = Pick<TransactionQuery, 'type' | 'status' | 'campaignId'>

const linesOf = (userId: string, { type, status, campaignId }: Filters) =>
  sql`transactions where user_id = ${userId} ${type ? sql`and type = any(${type})` : empty}
    ${status ? sql`and status = ${status}` : empty} ${campaignId ? sql`and campaign_id = ${campaignId}` : empty}`

type Line = Transaction & { seq: number }

const transactionsAt = async (tx: Tx, lines: ReturnType<typeof sql>, slice: Slice): Promise<Line[]> => {
  const { beyond, order, window } = keysetOf(slice, sql`seq`)
  const rows = await tx.rows<TransactionRow>(sql`
    select t.id, t.type, t.status, t.amount_cents as "amountCents", t.description, t.created_at as "createdAt",
      t.campaign_id as "campaignId", c.title as "campaignTitle", p.id as "paymentId", r.id as "refundId",
      coalesce(p.failure_reason, w.failure_reason) as "failureReason", t.seq
    from (select * from ${lines} ${beyond} order by ${order} ${window}) t
    left join campaigns c on c.id = t.campaign_id
    left join payments p on p.id = t.source_id and t.type in ('DEBIT', 'FEE')
    left join refunds r on r.id = t.source_id and t.type = 'CREDIT'
    left join withdrawals w on w.id = t.source_id and t.type = 'PAYOUT'
    order by t.seq desc`)
  return rows.map(({ campaignId, campaignTitle, ...row }) => ({
    ...row,
    campaign: campaignId !== null && campaignTitle !== null ? { id: campaignId, title: campaignTitle } : null,
  }))
}

/** A user's lines, the newest first. */
export const statementList = (tx: Tx, userId: string, filters: Filters): NumberedList<Line> => {
  const lines = linesOf(userId, filters)
  return {
    of: ['transactions', { userId, ...filters }],
    keyOf: ({ seq }) => [String(seq)],
    matching: sql`select from ${lines}`,
    rows: slice => transactionsAt(tx, lines, slice),
  }
}

export const newestTransactions = (tx: Tx, userId: string, limit: number): Promise<Transaction[]> =>
  transactionsAt(tx, linesOf(userId, {}), { place: null, limit, offset: 0 })

export const paymentSummaryOf = (tx: Tx, developerId: string): Promise<PaymentSummary> =>
  tx.one(
    sql`select
      coalesce(sum(amount_cents) filter (where type in ('DEBIT', 'FEE') and status = 'COMPLETED'), 0)::bigint as "paidInCents",
      coalesce(sum(amount_cents) filter (where type = 'FEE' and status = 'COMPLETED'), 0)::bigint as "feeCents",
      coalesce(sum(amount_cents) filter (where type = 'CREDIT' and status = 'COMPLETED'), 0)::bigint as "refundedCents",
      coalesce(sum(amount_cents) filter (where type = 'CREDIT' and status = 'PENDING'), 0)::bigint as "onTheWayBackCents"
    from transactions where user_id = ${developerId}`,
    'Summary',
  )

type Named<T> = Omit<T, 'campaign' | 'developer'> & { campaignId: string; title: string; name: string; email: string }

const withNames = <T>({ campaignId, title, name, email, ...row }: Named<T>) => ({
  ...row,
  campaign: { id: campaignId, title },
  developer: { name, email },
})

export const paymentOf = async (tx: Tx, developerId: string, id: string): Promise<Payment> =>
  withNames<Payment>(
    await tx.one(
      sql`select p.id, p.created_at as "createdAt", p.status, p.amount_cents as "totalCents",
        p.counterparty as "paymentMethod", p.failure_reason as "failureReason", p.campaign_id as "campaignId", c.title,
        u.name, u.email, lines.pay as "testersPayCents", lines.fee as "feeCents"
      from payments p join campaigns c on c.id = p.campaign_id join users u on u.id = p.developer_id
      cross join lateral (
        select coalesce(sum(amount_cents) filter (where type = 'DEBIT'), 0)::bigint as pay,
          coalesce(sum(amount_cents) filter (where type = 'FEE'), 0)::bigint as fee
        from transactions where source_id = p.id and status = 'COMPLETED'
      ) lines
      where p.id = ${id} and p.developer_id = ${developerId}`,
      'Payment',
    ),
  )

/** Its statement has one line of it; the transfers say how much of it was pay and how much fee. */
export const refundOf = async (tx: Tx, developerId: string, id: string): Promise<Refund> => ({
  ...withNames<Omit<Refund, 'parts'>>(
    await tx.one(
      sql`select r.id, r.created_at as "createdAt", r.settled_at as "settledAt", r.status, r.amount_cents as "totalCents",
        r.campaign_id as "campaignId", c.title, u.name, u.email,
        coalesce((select amount_cents from transfers where business_key = 'refund-pay:' || r.id), 0) as "testersPayCents",
        coalesce((select amount_cents from transfers where business_key = 'refund-fee:' || r.id), 0) as "feeCents"
      from refunds r join campaigns c on c.id = r.campaign_id join users u on u.id = r.developer_id
      where r.id = ${id} and r.developer_id = ${developerId}`,
      'Refund',
    ),
  ),
  parts: await refundPartsOf(tx, id),
})

const refundPartsOf = (tx: Tx, refundId: string): Promise<Refund['parts']> =>
  tx.rows(sql`select r.payment_id as "paymentId", r.counterparty as "paymentMethod", r.amount_cents as "amountCents",
      r.settled_at as "settledAt"
    from refund_parts r join payments p on p.id = r.payment_id where r.refund_id = ${refundId} order by p.seq desc`)
