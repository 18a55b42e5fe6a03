/** The slice's calls and its part of the query cache: `['campaigns', 'list' | 'available' | 'pending', …]`, `['campaigns', id]`. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import type { campaignApi, Campaign } from '../contract.ts'

export const api = client<typeof campaignApi>('campaigns')

export const useCampaign = (id: string) =>
  useQuery({ queryKey: ['campaigns', id], queryFn: ({ signal }) => api.get({ params: { id }, signal }) })

/**
 * After an action, its response is shown immediately; lists and everything else the action changed are reloaded. `money`
 * if cents moved, `testers` if participations changed.
 */
export const useAfterAction = () => {
  const cache = useQueryClient()
  return (campaign: Campaign, changed: { money?: true; testers?: true } = {}) => {
    cache.setQueryData(['campaigns', campaign.id], campaign)
    const stale = ['campaigns', ...(changed.money ? ['ledger'] : []), ...(changed.testers ? ['participations'] : [])]
    for (const slice of stale) void cache.invalidateQueries({ queryKey: [slice] })
  }
}
