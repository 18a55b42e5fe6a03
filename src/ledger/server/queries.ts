/** SQL for the money of campaigns. */
import type { Instant } from '../../kit/clock.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import { instantText } from '../../kit/server/json.ts'
import type { ErrorCode } from '../../kit/errors.ts'

/** The reply of a money function in migrations/functions: done, or the code of the refusal. */
export type Outcome =
  | 'OK'
  | Extract<
      ErrorCode,
      'NOT_FOUND' | 'WRONG_STATE' | 'WRONG_AMOUNT' | 'INSUFFICIENT_BALANCE' | 'PAYOUT_METHOD_PAUSED' | 'SUSPENDED'
    >

export const outcomeOf = (tx: Tx, call: ReturnType<typeof sql>): Promise<Outcome> => tx.value(sql`select ${call}`)

export type Begun = {
  chargeId: string
  campaignId: string
  developerId: string
  amountCents: number
  provider: string
  counterparty: string
  now: string
}

/** What a developer owes for lost disputes. */
export const owedBy = (tx: Tx, developerId: string): Promise<number> =>
  tx.value(sql`select owed_by_developer(${developerId})`)

/** `WAITING`: another charge for the campaign is on its way. `OWES`: see `owedBy`. */
export const beginCharge = (tx: Tx, c: Begun): Promise<Outcome | 'WAITING' | 'OWES'> =>
  tx.value(sql`select begin_charge(${c.chargeId}, ${c.chargeId}::text, ${c.campaignId}, ${c.developerId}, ${c.amountCents},
    ${c.provider}, ${c.counterparty}, ${c.now})`)

type BeforeCharge = {
  /** When the developer's latest payments were declined, newest first. */
  declined: Instant[]
  /** Charges that the provider has been asked for, or is about to be; not those that wait on its page, or for a bank. */
  onTheirWay: number
  /** What the developer owes for lost disputes. */
  owedCents: number
  /** This is a restored copy whose jobs have not been resumed. */
  isRestored: boolean
}

/** Reads everything as of one moment, so that a charge being declined counts either as on its way or as declined. */
export const beforeCharge = (
  tx: Tx,
  developerId: string,
  { declinedSince, most }: { declinedSince: Instant; most: number },
): Promise<BeforeCharge> =>
  tx.one(
    sql`select array(select ${instantText(sql`created_at`)} from payments
        where developer_id = ${developerId} and status = 'FAILED' and created_at > ${declinedSince}
        order by created_at desc limit ${most}) as declined,
      (select count(*)::int from charges where developer_id = ${developerId} and status = 'PENDING'
        and checkout_url is null and collecting_since is null) as "onTheirWay", owed_by_developer(${developerId}) as "owedCents",
      exists (select from job_pauses where resumed_at is null and reason = 'RESTORED') as "isRestored"`,
    'Charges',
  )

export const endCharges = (tx: Tx, campaignId: string, now: string): Promise<string[]> =>
  tx.value(sql`select end_charges(${campaignId}, ${now})`)

/** Like `endCharges`, but leaves a payment that its provider is collecting. */
export const endUnpaidCharges = async (tx: Tx, campaignId: string, now: string): Promise<string[]> => {
  const rows = await tx.rows<{ id: string }>(sql`update charges set ended_at = ${now}
    where campaign_id = ${campaignId} and status = 'PENDING' and ended_at is null and collecting_since is null returning id`)
  return rows.map(({ id }) => id)
}

export const endRefusedRenewals = (tx: Tx, campaignIds: readonly string[], now: string): Promise<string[]> =>
  tx.value(sql`select end_refused_renewals(${campaignIds}, ${now})`)

/** The campaigns for which something is being charged; always few. */
export const chargedAmong = async (tx: Tx, campaignIds: readonly string[]): Promise<string[]> => {
  if (campaignIds.length === 0) return []
  const rows = await tx.rows<{ id: string }>(sql`select campaign_id as id from charges
    where campaign_id = any(${campaignIds}) and status = 'PENDING' and ended_at is null order by 1`)
  return rows.map(({ id }) => id)
}

export type ChargeState = {
  campaignId: string
  developerId: string
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'RETURNED'
  amountCents: number
  checkoutUrl: string | null
  failureReason: string | null
  createdAt: Instant
}

const chargeState = sql`select campaign_id as "campaignId", developer_id as "developerId", status,
  (pay_cents + fee_cents)::bigint as "amountCents",
  checkout_url as "checkoutUrl", failure_reason as "failureReason", created_at as "createdAt" from charges`

export const chargeOf = (tx: Tx, id: string): Promise<ChargeState> =>
  tx.one(sql`${chargeState} where id = ${id}`, 'Charge')

/** The charge that a campaign is waiting for; if there is none, the latest one that was decided. */
export const openOrLastCharge = (tx: Tx, campaignId: string): Promise<ChargeState | undefined> =>
  tx.maybe(sql`${chargeState} where campaign_id = ${campaignId}
    and (status = 'PENDING' and ended_at is null or status in ('COMPLETED', 'FAILED'))
    order by status = 'PENDING' desc, id desc limit 1`)

/** `REFUNDED` is `OK`, and the refund with this id was made. */
export type RefundOutcome = Outcome | 'REFUNDED'

const refundOutcomeOf = (tx: Tx, refundId: string, call: ReturnType<typeof sql>): Promise<RefundOutcome> =>
  tx.value(sql`select after_refund(${call}, ${refundId})`)

export const cancelCampaign = (tx: Tx, campaignId: string, refundId: string, now: string): Promise<RefundOutcome> =>
  refundOutcomeOf(tx, refundId, sql`cancel_campaign(${campaignId}, ${refundId}, ${now})`)

/** Returns the campaigns that were due, like the other functions for many. */
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

export type Drop = { participationId: string; from: readonly string[]; reason: string }

export const drop = (
  tx: Tx,
  { participationId, from, reason }: Drop,
  refundId: string,
  now: string,
): Promise<RefundOutcome> =>
  refundOutcomeOf(
    tx,
    refundId,
    sql`close_unpaid(${participationId}, ${from}, 'DROPPED', ${reason}, false, ${refundId}, ${now})`,
  )

/** The seat stays frozen for `hours`, unless the tester appeals. */
export type Rejection = { participationId: string; reviewerId: string; code: string; reason: string; hours: number }

export const rejectParticipation = (
  tx: Tx,
  { participationId, reviewerId, code, reason, hours }: Rejection,
  now: string,
): Promise<Outcome> =>
  outcomeOf(tx, sql`reject_participation(${participationId}, ${reviewerId}, ${code}, ${reason}, ${hours}, ${now})`)

/** For rejections against which nobody appealed in time; returns those that it closed. */
export const closeRejections = (
  tx: Tx,
  ids: readonly string[],
  refundIds: readonly string[],
  now: string,
): Promise<string[]> =>
  tx.value(sql`select close_all_unpaid(${ids}, '{REJECTED}', 'REJECTED', array_fill(null::text, array[${ids.length}::int]),
    true, ${refundIds}, ${now})`)

export type AppealDecision = { participationId: string; outcome: 'VERIFIED' | 'UPHELD'; note: string; adminId: string }

export const decideAppeal = (
  tx: Tx,
  { participationId, outcome, note, adminId }: AppealDecision,
  refundId: string,
  now: string,
): Promise<RefundOutcome> =>
  refundOutcomeOf(
    tx,
    refundId,
    sql`decide_appeal(${participationId}, ${outcome}, ${note}, ${adminId}, ${refundId}, ${now})`,
  )

/** Pays from the platform's revenue; what the campaign held for the seat goes back. */
export const payGoodwill = (tx: Tx, participationId: string, refundId: string, now: string): Promise<RefundOutcome> =>
  refundOutcomeOf(tx, refundId, sql`pay_goodwill(${participationId}, ${refundId}, ${now})`)

/**
 * What the platform has earned and not spent. The account carries no balance: it follows from the last mark and all transfers
 * after it.
 */
export const platformRevenue = (tx: Tx): Promise<number> =>
  tx.value(sql`select balance_after(id, 9223372036854775807)
    from accounts where kind = 'PLATFORM_REVENUE' and owner_id is null`)

/** The tests to drop, each with its reason. With `whenDue`, only those whose time is over. */
export type Drops = { from: readonly string[]; drops: readonly { id: string; reason: string }[]; whenDue: boolean }

/** Returns the tests that it dropped. */
export const dropAll = (
  tx: Tx,
  { from, drops, whenDue }: Drops,
  refundIds: readonly string[],
  now: string,
): Promise<string[]> =>
  tx.value(sql`select close_all_unpaid(${drops.map(({ id }) => id)}, ${from}, 'DROPPED', ${drops.map(({ reason }) => reason)}, ${whenDue},
    ${refundIds}, ${now})`)

/** Locks the balances that nobody else has locked, and returns their testers. */
export const holdFreeBalances = (tx: Tx, testerIds: readonly string[]): Promise<string[]> =>
  tx.value(sql`select hold_free_balances(${testerIds})`)

/** After a week of waiting the tester may ask for it. With `whenDue`, the clock does it after two. */
export type WaitingClosing = { participationId: string; whenDue: boolean }

export const closeWaitingSeat = (
  tx: Tx,
  { participationId, whenDue }: WaitingClosing,
  refundId: string,
  now: string,
): Promise<RefundOutcome> =>
  refundOutcomeOf(tx, refundId, sql`close_waiting_seat(${participationId}, ${whenDue}, ${refundId}, ${now})`)

/** Closes the seats of testers who have waited two weeks. */
export const closeWaitingSeats = (
  tx: Tx,
  ids: readonly string[],
  refundIds: readonly string[],
  now: string,
): Promise<string[]> => tx.value(sql`select close_waiting_seats(${ids}, true, ${refundIds}, ${now})`)

export const refuseNda = (tx: Tx, participationId: string, refundId: string, now: string): Promise<RefundOutcome> =>
  refundOutcomeOf(tx, refundId, sql`refuse_nda(${participationId}, ${refundId}, ${now})`)

export const closeFreeSeat = (tx: Tx, campaignId: string, refundId: string, now: string): Promise<RefundOutcome> =>
  refundOutcomeOf(tx, refundId, sql`close_free_seat(${campaignId}, ${refundId}, ${now})`)

/**
 * Which of these refunds were made, and the charges that ended because of them: renewals of their campaigns that can no longer be
 * accepted.
 */
export const afterRefunds = (
  tx: Tx,
  ids: readonly string[],
  now: string,
): Promise<{ made: string[]; ended: string[] }> =>
  tx.one(
    sql`select array(select id from refunds where id = any(${ids})) as made,
      end_refused_renewals(array(select campaign_id from refunds where id = any(${ids})), ${now}) as ended`,
    'Refunds',
  )
