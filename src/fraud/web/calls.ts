import { queryOptions } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import type { fraudApi, FraudStats } from '../contract.ts'

export const api = client<typeof fraudApi>('fraud')

export const refreshFraud = () => queryClient.invalidateQueries({ queryKey: ['fraud'] })

const statsKey = ['fraud', 'stats'] as const

/** Polls the figures every second while a scan runs, and reloads the list when it ends. */
export const statsQuery = queryOptions({
  queryKey: statsKey,
  queryFn: async ({ signal }) => {
    const before = queryClient.getQueryData<FraudStats>(statsKey)
    const stats = await api.stats({ signal })
    const ended = before?.runningScan && before.runningScan.id !== stats.runningScan?.id
    if (ended) void queryClient.invalidateQueries({ queryKey: ['fraud', 'list'] })
    return stats
  },
  refetchInterval: ({ state }) => (state.data?.runningScan ? 1000 : false),
})
