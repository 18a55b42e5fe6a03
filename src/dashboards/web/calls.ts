/** Queries of the dashboards. Any action can change a figure, so figures are refetched on every visit. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import type { dashboardApi, Period } from '../contract.ts'
import type { campaignApi } from '../../campaigns/contract.ts'
import type { participationApi } from '../../participations/contract.ts'

const api = client<typeof dashboardApi>('dashboards')
const campaigns = client<typeof campaignApi>('campaigns')
const participations = client<typeof participationApi>('participations')

/** Spec §9. */
const recentShown = 5
const linesShown = 20
const staleTime = 0

export const useDeveloperFigures = () =>
  useQuery({ queryKey: ['dashboards', 'developer'], queryFn: ({ signal }) => api.developer({ signal }), staleTime })

export const useDeveloperAnalytics = () =>
  useQuery({
    queryKey: ['dashboards', 'developerAnalytics'],
    queryFn: ({ signal }) => api.developerAnalytics({ signal }),
    staleTime,
  })

export const useTesterFigures = () =>
  useQuery({ queryKey: ['dashboards', 'tester'], queryFn: ({ signal }) => api.tester({ signal }), staleTime })

export const useStats = () =>
  useQuery({ queryKey: ['dashboards', 'stats'], queryFn: ({ signal }) => api.stats({ signal }), staleTime })

/** Keeps showing the last period while the next one loads. */
export const useAnalytics = (period: Period) =>
  useQuery({
    queryKey: ['dashboards', 'analytics', period],
    queryFn: ({ signal }) => api.analytics({ query: { period }, signal }),
    placeholderData: keepPreviousData,
    staleTime,
  })

export const useRevenueLines = (period: Period, page: number) =>
  useQuery({
    queryKey: ['dashboards', 'revenue', period, page],
    queryFn: ({ signal }) => api.revenue({ query: { period, page, limit: linesShown }, signal }),
    placeholderData: keepPreviousData,
    staleTime,
  })

/** For the Refresh button: the figures and their payments. */
export const refreshFigures = () => queryClient.invalidateQueries({ queryKey: ['dashboards'] })

export const useRecentCampaigns = () =>
  useQuery({
    queryKey: ['campaigns', 'recent'],
    queryFn: async ({ signal }) => (await campaigns.list({ query: { limit: recentShown }, signal })).items,
    staleTime,
  })

export const useRecentTests = () =>
  useQuery({
    queryKey: ['participations', 'recent'],
    queryFn: async ({ signal }) => (await participations.mine({ query: { limit: recentShown }, signal })).items,
    staleTime,
  })
