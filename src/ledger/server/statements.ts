/** What users see of their money. */
import { currentSettings } from '../../settings/server/settings.ts'
import { clock } from '../../kit/clock.ts'
import type { NumberedPage, SignedIn } from '../../kit/endpoint.ts'
import { autocommit } from '../../kit/server/db.ts'
import { numberedPageOf } from '../../kit/server/numberedLists.ts'
import { approvalAbove, countedSince } from '../approvals.ts'
import type { Balance, Payment, PaymentSummary, Refund, Transaction, TransactionQuery } from '../contract.ts'
import * as approvals from './approvals.queries.ts'
import { holdsOf, holdsOfWithdrawals } from './holds.ts'
import * as queries from './statements.queries.ts'

const recentTransactions = 10

export const balance = async (user: SignedIn): Promise<Balance> => {
  const [held, recent, { minimumWithdrawalCents, payoutApprovalCents }, holds] = await Promise.all([
    queries.balanceOf(autocommit, user.id),
    queries.newestTransactions(autocommit, user.id, recentTransactions),
    currentSettings(autocommit),
    holdsOf(autocommit, user.id),
  ])
  // There is no limit by default, and then nothing has to be summed up.
  const uncheckedCents =
    payoutApprovalCents === null ? 0 : await approvals.uncheckedCents(autocommit, user.id, countedSince(clock.now()))
  return {
    ...held,
    minimumWithdrawalCents,
    approvalAboveCents: approvalAbove(payoutApprovalCents, uncheckedCents),
    holds,
    recentTransactions: await withHolds(user.id, recent),
  }
}

/** Adds to each line that is not paid out yet what holds it up. */
const withHolds = async (userId: string, lines: readonly queries.Line[]): Promise<Transaction[]> => {
  const waiting = lines.flatMap(({ waitingId }) => waitingId ?? [])
  const holds = await holdsOfWithdrawals(autocommit, userId, waiting)
  return lines.map(({ waitingId, ...line }) => ({ ...line, hold: (waitingId && holds.get(waitingId)) || null }))
}

export const transactions = async (
  user: SignedIn,
  { page, limit, cursor, ...filters }: TransactionQuery,
): Promise<NumberedPage<Transaction>> => {
  const list = queries.statementList(autocommit, user.id, filters)
  const found = await numberedPageOf(autocommit, { page, limit, cursor }, list)
  return { ...found, data: await withHolds(user.id, found.data) }
}

const mostOnTheWay = 20

export const paymentSummary = async (developer: SignedIn): Promise<PaymentSummary> => {
  const [sums, paymentsOnTheWay] = await Promise.all([
    queries.paymentSumsOf(autocommit, developer.id),
    queries.paymentsOnTheWay(autocommit, developer.id, mostOnTheWay),
  ])
  return { ...sums, paymentsOnTheWay }
}

/** Another user's payment is not found. */
export const payment = (developer: SignedIn, id: string): Promise<Payment> =>
  queries.paymentOf(autocommit, developer.id, id)

/** Another user's refund is not found. */
export const refund = (developer: SignedIn, id: string): Promise<Refund> =>
  queries.refundOf(autocommit, developer.id, id)
