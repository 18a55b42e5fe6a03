import type { Handlers } from '../../kit/endpoint.ts'
import type { campaignApi } from '../contract.ts'
import * as campaigns from './campaigns.ts'

export const campaignHandlers: Handlers<typeof campaignApi> = {
  list: ({ user, query }) => campaigns.list(user, query),
  available: ({ user, query }) => campaigns.available(user, query),
  newTerms: () => campaigns.newTerms(),
  get: ({ user, params }) => campaigns.get(user, params.id),
  create: ({ user, body, idempotencyKey }) => campaigns.create(user, body, idempotencyKey),
  update: ({ user, params, body }) => campaigns.update(user, params.id, body),
  fund: ({ user, params, body, idempotencyKey, caller }) =>
    campaigns.fund(
      user,
      { campaignId: params.id, amountCents: body.amountCents },
      { key: idempotencyKey, requestId: caller.requestId },
    ),
  renew: ({ user, params, body, idempotencyKey, caller }) =>
    campaigns.renew(
      user,
      { campaignId: params.id, amountCents: body.amountCents },
      { key: idempotencyKey, requestId: caller.requestId },
    ),
  submit: ({ user, params }) => campaigns.submit(user, params.id),
  start: ({ user, params }) => campaigns.start(user, params.id),
  pause: ({ user, params }) => campaigns.pause(user, params.id),
  closeSeat: ({ user, params, idempotencyKey }) => campaigns.closeSeat(user, params.id, idempotencyKey),
  cancel: ({ user, params, idempotencyKey }) => campaigns.cancel(user, params.id, idempotencyKey),
  pending: ({ user, query }) => campaigns.pending(user, query),
  approve: ({ user, params, body }) => campaigns.approve(user, params.id, body ?? {}),
  reject: ({ user, params, body }) => campaigns.reject(user, params.id, body.reason, body),
  pendingLinks: ({ user, query }) => campaigns.pendingLinks(user, query),
  approveLink: ({ user, params, body }) => campaigns.approveLink(user, params.id, body ?? {}),
  rejectLink: ({ user, params, body }) => campaigns.rejectLink(user, params.id, body.reason, body),
}
