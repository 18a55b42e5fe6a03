import { keepPreviousData } from '@tanstack/react-query'
import { orEmptyPage } from '../../kit/web/numbered.ts'
import type { PageAt } from '../../kit/web/urlFilters.ts'
import type { Filters } from './fraudFilters.ts'
import { queryOptions } from '@tanstack/react-query'
import { auditKeys } from '../../audit/web/keys.ts'
import { client } from '../../kit/web/api.ts'
import { queryClient, invalidate } from '../../kit/web/query.ts'
import type { fraudApi, FraudStats } from '../contract.ts'
import { fraudKeys } from './keys.ts'

export const api = client<typeof fraudApi>('fraud')

/** After an action on reports, which also adds an audit entry. */
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

/** Spec §9. */
const pageSize = 50

export const asked = ({ search, severity, status, sample }: Filters) => ({
  search,
  severity: severity ?? undefined,
  status: status ?? undefined,
  sample: sample ?? undefined,
})

/** A page of the reports. */
export const reportsQuery = (filters: Filters, at: PageAt) => {
  const query = { ...asked(filters), ...at, limit: pageSize }
  return queryOptions({
    queryKey: fraudKeys.list(query),
    queryFn: ({ signal }) => orEmptyPage(api.list({ query, signal })),
    placeholderData: keepPreviousData,
  })
}
