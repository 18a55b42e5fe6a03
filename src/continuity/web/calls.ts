import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import { invalidate } from '../../kit/web/query.ts'
import type { continuityApi } from '../contract.ts'
import { continuityKeys } from './keys.ts'

export const api = client<typeof continuityApi>('continuity')

export const continuityQuery = (campaignId: string) =>
  queryOptions({
    queryKey: continuityKeys.ofCampaign(campaignId),
    queryFn: ({ signal }) => api.ofCampaign({ params: { id: campaignId }, signal }),
  })

export const useContinuity = (campaignId: string) => useQuery(continuityQuery(campaignId))

export const refreshClock = () => invalidate(continuityKeys.all)
