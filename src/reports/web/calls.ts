import { useQuery } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import type { reportApi } from '../contract.ts'
import { reportKeys } from './keys.ts'

export const api = client<typeof reportApi>('reports')

export const useReport = (campaignId: string) =>
  useQuery({
    queryKey: reportKeys.ofCampaign(campaignId),
    queryFn: ({ signal }) => api.report({ params: { id: campaignId }, signal }),
  })
