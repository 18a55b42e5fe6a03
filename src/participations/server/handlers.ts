import type { Handlers } from '../../kit/endpoint.ts'
import type { participationApi } from '../contract.ts'
import * as participations from './participations.ts'

export const participationHandlers: Handlers<typeof participationApi> = {
  join: ({ user, params, body }) => participations.join(user, params.id, body.deviceInfo),
  mine: ({ user, query }) => participations.mine(user, query),
  own: ({ user, params }) => participations.get(user, params.id),
  checkIn: ({ user, params, body }) => participations.checkIn(user, params.id, body?.note),
  submitProof: ({ user, params, body }) => participations.submitProof(user, params.id, body.proof),
  leave: ({ user, params }) => participations.leave(user, params.id),
  ofCampaign: ({ user, params, query }) => participations.ofCampaign(user, params.id, query),
  verify: ({ user, params, idempotencyKey }) => participations.verify(user, params.id, idempotencyKey),
  requestChanges: ({ user, params, body }) => participations.requestChanges(user, params.id, body.note),
  reject: ({ user, params, body, idempotencyKey }) => participations.reject(user, params.id, body, idempotencyKey),
}
