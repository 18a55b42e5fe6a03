import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import type { ResultsQuery, feedbackApi } from '../contract.ts'
import { feedbackKeys } from './keys.ts'

export const api = client<typeof feedbackApi>('feedback')

export const formQuery = (campaignId: string) =>
  queryOptions({
    queryKey: feedbackKeys.form(campaignId),
    queryFn: ({ signal }) => api.form({ params: { id: campaignId }, signal }),
  })

/** While the filters change, the previous answers stay on screen. */
export const resultsQuery = (campaignId: string, filters: ResultsQuery) =>
  queryOptions({
    queryKey: feedbackKeys.results(campaignId, filters),
    queryFn: ({ signal }) => api.results({ params: { id: campaignId }, query: filters, signal }),
    placeholderData: keepPreviousData,
  })
