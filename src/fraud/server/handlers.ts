import type { Handlers } from '../../kit/endpoint.ts'
import type { fraudApi } from '../contract.ts'
import * as fraud from './fraud.ts'
import { triggerScan } from './scan.ts'

export const fraudHandlers: Handlers<typeof fraudApi> = {
  list: ({ query }) => fraud.list(query),
  stats: () => fraud.stats(),
  get: ({ params }) => fraud.get(params.id),
  resolve: ({ user, params, body }) => fraud.resolve(user, params.id, body.resolution),
  dismiss: ({ user, params, body }) => fraud.dismiss(user, params.id, body.reason),
  scan: ({ user }) => triggerScan(user),
  generateSamples: ({ user, idempotencyKey }) => fraud.generateSamples(user, idempotencyKey),
  clear: ({ user }) => fraud.clear(user),
}
