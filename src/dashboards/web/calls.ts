/** Queries of the dashboards. Any action can change a figure, so figures are refetched on every visit. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
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

/** Spec §9. */
const recentShown = 5
const linesShown = 20
const staleTime = 0

export const useDeveloperFigures = () =>
  useQuery({ queryKey: dashboardKeys.developer, queryFn: ({ signal }) => api.developer({ signal }), staleTime })

export const useDeveloperAnalytics = () =>
  useQuery({
    queryKey: dashboardKeys.developerAnalytics,
    queryFn: ({ signal }) => api.developerAnalytics({ signal }),
    staleTime,
  })

export const useTesterFigures = () =>
  useQuery({ queryKey: dashboardKeys.tester, queryFn: ({ signal }) => api.tester({ signal }), staleTime })

export const useStats = () =>
  useQuery({ queryKey: dashboardKeys.stats, queryFn: ({ signal }) => api.stats({ signal }), staleTime })

/** Keeps showing the last period while the next one loads. */
export const useAnalytics = (period: Period) =>
  useQuery({
    queryKey: dashboardKeys.analytics(period),
    queryFn: ({ signal }) => api.analytics({ query: { period }, signal }),
    placeholderData: keepPreviousData,
    staleTime,
  })

export const useRevenueLines = (period: Period, at: PageAt) =>
  useQuery({
    queryKey: dashboardKeys.revenue(period, at),
    queryFn: ({ signal }) => orEmptyPage(api.revenue({ query: { period, ...at, limit: linesShown }, signal })),
    placeholderData: keepPreviousData,
    staleTime,
  })

/** For the Refresh button: the figures and their payments. */
export const refreshFigures = () => invalidate(dashboardKeys.all)

export const useRecentCampaigns = () =>
  useQuery({
    queryKey: campaignKeys.recent,
    queryFn: async ({ signal }) => (await campaigns.list({ query: { limit: recentShown }, signal })).items,
    staleTime,
  })

export const useRecentTests = () =>
  useQuery({
    queryKey: participationKeys.recent,
    queryFn: async ({ signal }) => (await participations.mine({ query: { limit: recentShown }, signal })).items,
    staleTime,
  })
