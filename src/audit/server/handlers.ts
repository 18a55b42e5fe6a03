import type { Handlers } from '../../kit/endpoint.ts'
import type { adminApi } from '../contract.ts'
import { auditLog, changeSettings, settings } from './audit.ts'

export const adminHandlers: Handlers<typeof adminApi> = {
  auditLog: ({ query }) => auditLog(query),
  settings: () => settings(),
  changeSettings: ({ user, body }) => changeSettings(user, body),
}
