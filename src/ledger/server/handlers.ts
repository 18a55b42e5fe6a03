import type { Handlers } from '../../kit/endpoint.ts'
import type { ledgerApi } from '../contract.ts'
import * as approvals from './approvals.ts'
import { removePayoutAccount } from './payoutAccountRemoval.ts'
import { withdraw } from './payouts.ts'
import { onboard, payoutAccount } from './stripe/accounts.ts'
import { balance, payment, paymentSummary, refund, transactions } from './statements.ts'

export const ledgerHandlers: Handlers<typeof ledgerApi> = {
  balance: ({ user }) => balance(user),
  withdraw: ({ user, body, idempotencyKey }) => withdraw(user, body.amountCents, idempotencyKey),
  payoutAccount: ({ user }) => payoutAccount(user.id),
  onboard: ({ user, body }) => onboard(user.id, body.country),
  removePayoutAccount: ({ user, query }) => removePayoutAccount(user.id, query.account),
  payoutApprovals: ({ user, query }) => approvals.waiting(user, query),
  releasePayout: ({ user, params, idempotencyKey }) => approvals.release(user, params.id, idempotencyKey),
  confirmPayout: ({ user, params, idempotencyKey }) => approvals.confirm(user, params.id, idempotencyKey),
  refusePayout: ({ user, params, body, idempotencyKey }) =>
    approvals.refuse(user, params.id, body.reason, idempotencyKey),
  transactions: ({ user, query }) => transactions(user, query),
  paymentSummary: ({ user }) => paymentSummary(user),
  payment: ({ user, params }) => payment(user, params.id),
  refund: ({ user, params }) => refund(user, params.id),
}
