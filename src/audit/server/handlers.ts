import type { Handlers } from '../../kit/endpoint.ts'
import type { auditApi } from '../contract.ts'
import { auditLog } from './audit.ts'

export const auditHandlers: Handlers<typeof auditApi> = {
  auditLog: ({ query }) => auditLog(query),
}
