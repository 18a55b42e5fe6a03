import type { Handlers } from '../../kit/endpoint.ts'
import type { escrowApi } from '../escrowContract.ts'
import { aging, askRenewal, cancelAging, extend } from './escrow.ts'

export const escrowHandlers: Handlers<typeof escrowApi> = {
  agingEscrow: ({ query }) => aging(query),
  extendEscrow: ({ user, params, body, idempotencyKey }) =>
    extend({ admin: user, id: params.id, reason: body.reason, key: idempotencyKey }),
  renewEscrow: ({ user, params, body, idempotencyKey }) =>
    askRenewal({ admin: user, id: params.id, reason: body.reason, key: idempotencyKey }),
  cancelEscrow: ({ user, params, body, idempotencyKey }) =>
    cancelAging({ admin: user, id: params.id, reason: body.reason, key: idempotencyKey }),
}
