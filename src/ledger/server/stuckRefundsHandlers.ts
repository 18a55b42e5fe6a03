import type { Handlers } from '../../kit/endpoint.ts'
import type { stuckRefundsApi } from '../stuckRefundsContract.ts'
import { confirmOutside, payOutside, refuseOutside, retryRefund, settleTwice, stuckRefunds } from './stuckRefunds.ts'

export const stuckRefundsHandlers: Handlers<typeof stuckRefundsApi> = {
  stuckRefunds: ({ user, query }) => stuckRefunds(user, query),
  retryRefund: ({ user, params, idempotencyKey }) => retryRefund(user, params.id, idempotencyKey),
  payRefund: ({ user, params, body, idempotencyKey }) => payOutside(user, params.id, body, idempotencyKey),
  confirmRefund: ({ user, params, idempotencyKey }) => confirmOutside(user, params.id, idempotencyKey),
  refuseRefund: ({ user, params, body, idempotencyKey }) => refuseOutside(user, params.id, body.reason, idempotencyKey),
  settleRefund: ({ user, params, body, idempotencyKey }) => settleTwice(user, params.id, body.note, idempotencyKey),
}
