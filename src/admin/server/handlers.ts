import type { Handlers } from '../../app/endpoint.ts'
import type { adminApi } from '../contract.ts'
import { auditLog, changeSettings, settings } from './admin.ts'

export const adminHandlers: Handlers<typeof adminApi> = {
  auditLog: ({ query }) => auditLog(query),
  settings: () => settings(),
  changeSettings: ({ user, body }) => changeSettings(user, body),
}
