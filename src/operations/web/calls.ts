import { queryOptions } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import { invalidate } from '../../kit/web/query.ts'
import type { operationsApi } from '../contract.ts'
import { operationsKeys } from './keys.ts'

export const api = client<typeof operationsApi>('operations')

const seconds = 1000

/** Reloads by itself; more often while the checks run. */
export const operationsQuery = queryOptions({
  queryKey: operationsKeys.current,
  queryFn: ({ signal }) => api.operations({ signal }),
  refetchInterval: ({ state }) => (state.data?.checkingSince ? 2 * seconds : 15 * seconds),
})

export const refreshOperations = () => invalidate(operationsKeys.all)
