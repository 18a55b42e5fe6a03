import { client } from '../../kit/web/api.ts'
import type { settingsApi } from '../contract.ts'

export const api = client<typeof settingsApi>('settings')
