import { queryOptions } from '@tanstack/react-query'
import { auditKeys } from '../../audit/web/keys.ts'
import { client } from '../../kit/web/api.ts'
import { queryClient, invalidate } from '../../kit/web/query.ts'
import type { fraudApi, FraudStats } from '../contract.ts'
import { fraudKeys } from './keys.ts'

export const api = client<typeof fraudApi>('fraud')

/** After an action on reports, which is also an entry of the audit log. */
export const refreshFraud = () => invalidate(fraudKeys.all, auditKeys.all)

/** Polls the figures every second while a scan runs, and reloads the list when it ends. */
export const statsQuery = queryOptions({
  queryKey: fraudKeys.stats,
  queryFn: async ({ signal }) => {
    const before = queryClient.getQueryData<FraudStats>(fraudKeys.stats)
    const stats = await api.stats({ signal })
    const ended = before?.runningScan && before.runningScan.id !== stats.runningScan?.id
    if (ended) void invalidate(fraudKeys.lists)
    return stats
  },
  refetchInterval: ({ state }) => (state.data?.runningScan ? 1000 : false),
})
