/** What users see of their money. */
import { currentSettings } from '../../settings/server/settings.ts'
import type { NumberedPage, SignedIn } from '../../kit/endpoint.ts'
import { autocommit } from '../../kit/server/db.ts'
import { numberedPageOf } from '../../kit/server/numberedLists.ts'
import type { Balance, Payment, PaymentSummary, Refund, Transaction, TransactionQuery } from '../contract.ts'
import * as queries from './statements.queries.ts'

const recentTransactions = 10

export const balance = async (user: SignedIn): Promise<Balance> => {
  const [held, recent, { minimumWithdrawalCents }] = await Promise.all([
    queries.balanceOf(autocommit, user.id),
    queries.newestTransactions(autocommit, user.id, recentTransactions),
    currentSettings(autocommit),
  ])
  return { ...held, minimumWithdrawalCents, recentTransactions: recent }
}

export const transactions = (
  user: SignedIn,
  { page, limit, cursor, ...filters }: TransactionQuery,
): Promise<NumberedPage<Transaction>> =>
  numberedPageOf(autocommit, { page, limit, cursor }, queries.statementList(autocommit, user.id, filters))

export const paymentSummary = (developer: SignedIn): Promise<PaymentSummary> =>
  queries.paymentSummaryOf(autocommit, developer.id)

/** Another user's is not found. */
export const payment = (developer: SignedIn, id: string): Promise<Payment> =>
  queries.paymentOf(autocommit, developer.id, id)

/** Another user's is not found. */
export const refund = (developer: SignedIn, id: string): Promise<Refund> =>
  queries.refundOf(autocommit, developer.id, id)
