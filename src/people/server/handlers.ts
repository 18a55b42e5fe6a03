import type { Handlers } from '../../kit/endpoint.ts'
import type { peopleApi } from '../contract.ts'
import * as users from './people.ts'

export const peopleHandlers: Handlers<typeof peopleApi> = {
  list: ({ query }) => users.list(query),
  counts: () => users.counts(),
  get: ({ params }) => users.profile(params.id),
  message: ({ user, params, body, idempotencyKey }) => users.message(user, params.id, body, idempotencyKey),
  ban: ({ user, params, body }) => users.ban(user, params.id, body.reason),
  unban: ({ user, params, body }) => users.unban(user, params.id, body.reason),
  security: () => users.security(),
}
