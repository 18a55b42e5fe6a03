import type { Handlers } from '../../kit/endpoint.ts'
import type { bugApi } from '../contract.ts'
import * as bugs from './bugs.ts'
import * as deciding from './deciding.ts'
import { get } from './shown.ts'

export const bugHandlers: Handlers<typeof bugApi> = {
  list: ({ user, params, query }) => bugs.list(user, params.id, query),
  similar: ({ user, params, query }) => bugs.similar(user, params.id, query),
  report: ({ user, params, body, idempotencyKey }) => bugs.report(user, params.id, body, idempotencyKey),
  csv: ({ user, params }) => bugs.csv(user, params.id),
  text: ({ user, params, query }) => bugs.text(user, params.id, query.form),
  get: ({ user, params }) => get(user, params.id),
  change: ({ user, params, body }) => deciding.change(user, params.id, body),
  comment: ({ user, params, body, idempotencyKey }) => bugs.comment(user, params.id, body, idempotencyKey),
  retest: ({ user, params, body, idempotencyKey }) => deciding.retest(user, params.id, body, idempotencyKey),
}
