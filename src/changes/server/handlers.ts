import type { Handlers } from '../../kit/endpoint.ts'
import type { changeApi } from '../contract.ts'
import * as changes from './changes.ts'

export const changeHandlers: Handlers<typeof changeApi> = {
  list: ({ user, params }) => changes.list(user, params.id),
  publish: ({ user, params, body, idempotencyKey }) => changes.publish(user, params.id, body, idempotencyKey),
  retest: ({ user, params, body, idempotencyKey }) => changes.retest(user, params.id, body, idempotencyKey),
  correct: ({ user, params, body }) => changes.correct(user, params.id, body.text),
}
