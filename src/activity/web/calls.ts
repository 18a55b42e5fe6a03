import { client } from '../../kit/web/api.ts'
import type { activityApi } from '../contract.ts'

export const api = client<typeof activityApi>('activity')

export const pageSize = 30
