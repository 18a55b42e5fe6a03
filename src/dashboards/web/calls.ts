/** Queries of the dashboards. Any action can change a figure, so figures are loaded again on every visit. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import { orEmptyPage } from '../../kit/web/numbered.ts'
import { invalidate } from '../../kit/web/query.ts'
import type { PageAt } from '../../kit/web/urlFilters.ts'
import type { dashboardApi, Period } from '../contract.ts'
import type { campaignApi } from '../../campaigns/contract.ts'
import { campaignKeys } from '../../campaigns/web/keys.ts'
import type { participationApi } from '../../participations/contract.ts'
import { participationKeys } from '../../participations/web/keys.ts'
import { dashboardKeys } from './keys.ts'

const api = client<typeof dashboardApi>('dashboards')
const campaigns = client<typeof campaignApi>('campaigns')
const participations = client<typeof participationApi>('participations')

/** From spec §9. */
const recentShown = 5
const linesShown = 20
/** Data preloaded by a link (src/app/web/prefetch.ts) is still fresh when its screen shows it. */
const staleTime = 2000

export const needsQuery = queryOptions({
  queryKey: dashboardKeys.needs,
  queryFn: ({ signal }) => api.needs({ signal }),
  staleTime,
  // Check-ins and proofs become due as time passes. The query library pauses this while the tab is hidden.
  refetchInterval: 5 * 60_000,
})

export const developerFiguresQuery = queryOptions({
  queryKey: dashboardKeys.developer,
  queryFn: ({ signal }) => api.developer({ signal }),
  staleTime,
})

export const developerAnalyticsQuery = queryOptions({
  queryKey: dashboardKeys.developerAnalytics,
  queryFn: ({ signal }) => api.developerAnalytics({ signal }),
  staleTime,
})

export const testerFiguresQuery = queryOptions({
  queryKey: dashboardKeys.tester,
  queryFn: ({ signal }) => api.tester({ signal }),
  staleTime,
})

export const statsQuery = queryOptions({
  queryKey: dashboardKeys.stats,
  queryFn: ({ signal }) => api.stats({ signal }),
  staleTime,
})

/** Keeps showing the previous period while the next one loads. */
export const analyticsQuery = (period: Period) =>
  queryOptions({
    queryKey: dashboardKeys.analytics(period),
    queryFn: ({ signal }) => api.analytics({ query: { period }, signal }),
    placeholderData: keepPreviousData,
    staleTime,
  })

export const revenueLinesQuery = (period: Period, at: PageAt) =>
  queryOptions({
    queryKey: dashboardKeys.revenue(period, at),
    queryFn: ({ signal }) => orEmptyPage(api.revenue({ query: { period, ...at, limit: linesShown }, signal })),
    placeholderData: keepPreviousData,
    staleTime,
  })

/** Call this after an action on the dashboard itself. */
export const refreshNeeds = () => invalidate(dashboardKeys.needs, dashboardKeys.tester)

export const recentCampaignsQuery = queryOptions({
  queryKey: campaignKeys.recent,
  queryFn: async ({ signal }) => (await campaigns.list({ query: { limit: recentShown }, signal })).items,
  staleTime,
})

export const recentTestsQuery = queryOptions({
  queryKey: participationKeys.recent,
  queryFn: async ({ signal }) => (await participations.mine({ query: { limit: recentShown }, signal })).items,
  staleTime,
})
