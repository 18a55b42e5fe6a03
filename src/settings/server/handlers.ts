import type { Handlers } from '../../kit/endpoint.ts'
import type { settingsApi } from '../contract.ts'
import { changeSettings, confirmLimit, refuseLimit, settings } from './settings.ts'

export const settingsHandlers: Handlers<typeof settingsApi> = {
  settings: ({ user }) => settings(user),
  changeSettings: ({ user, body }) => changeSettings(user, body),
  confirmLimit: ({ user, params }) => confirmLimit(user, params.id),
  refuseLimit: ({ user, params }) => refuseLimit(user, params.id),
}
