import type { Handlers } from '../../kit/endpoint.ts'
import type { disputesApi } from '../disputesContract.ts'
import { caseOf, decide, disputes, noteOn } from './disputeCases.ts'
import { giveBack, settle, waive } from './settledDebts.ts'

export const disputesHandlers: Handlers<typeof disputesApi> = {
  disputes: ({ query }) => disputes(query),
  dispute: ({ params }) => caseOf(params.id),
  noteDispute: ({ user, params, body }) => noteOn(user, params.id, body.note),
  decideDispute: ({ user, params, body, idempotencyKey }) => decide(user, params.id, body, idempotencyKey),
  settleDispute: ({ user, params, body, idempotencyKey }) => settle(user, params.id, body, idempotencyKey),
  waiveDebt: ({ user, params, body, idempotencyKey }) => waive(user, params.id, body, idempotencyKey),
  giveBackSettlement: ({ user, params, body, idempotencyKey }) => giveBack(user, params.id, body, idempotencyKey),
}
