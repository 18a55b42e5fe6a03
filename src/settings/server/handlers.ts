import type { Handlers } from '../../kit/endpoint.ts'
import type { settingsApi } from '../contract.ts'
import { changeSettings, settings } from './settings.ts'

export const settingsHandlers: Handlers<typeof settingsApi> = {
  settings: () => settings(),
  changeSettings: ({ user, body }) => changeSettings(user, body),
}
