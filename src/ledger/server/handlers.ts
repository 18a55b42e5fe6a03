import type { Handlers } from '../../kit/endpoint.ts'
import type { ledgerApi } from '../contract.ts'
import { withdraw } from './payouts.ts'
import { balance, payment, paymentSummary, refund, transactions } from './statements.ts'

export const ledgerHandlers: Handlers<typeof ledgerApi> = {
  balance: ({ user }) => balance(user),
  withdraw: ({ user, body, idempotencyKey }) => withdraw(user, body.amountCents, idempotencyKey),
  transactions: ({ user, query }) => transactions(user, query),
  paymentSummary: ({ user }) => paymentSummary(user),
  payment: ({ user, params }) => payment(user, params.id),
  refund: ({ user, params }) => refund(user, params.id),
}
