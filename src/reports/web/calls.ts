import { queryOptions } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import type { reportApi } from '../contract.ts'
import { reportKeys } from './keys.ts'

export const api = client<typeof reportApi>('reports')

export const reportQuery = (campaignId: string) =>
  queryOptions({
    queryKey: reportKeys.ofCampaign(campaignId),
    queryFn: ({ signal }) => api.report({ params: { id: campaignId }, signal }),
  })
