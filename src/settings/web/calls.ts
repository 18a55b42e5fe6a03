import { queryOptions } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import type { settingsApi } from '../contract.ts'
import { settingsKeys } from './keys.ts'

export const api = client<typeof settingsApi>('settings')

export const settingsQuery = queryOptions({
  queryKey: settingsKeys.current,
  queryFn: ({ signal }) => api.settings({ signal }),
})
