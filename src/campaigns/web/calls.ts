import { queryOptions, useQuery } from '@tanstack/react-query'
import { auditKeys } from '../../audit/web/keys.ts'
import { client } from '../../kit/web/api.ts'
import { queryClient, invalidate } from '../../kit/web/query.ts'
import { ledgerKeys } from '../../ledger/web/keys.ts'
import type { campaignApi, Campaign } from '../contract.ts'
import { campaignKeys } from './keys.ts'

export const api = client<typeof campaignApi>('campaigns')

const campaignQuery = (id: string) =>
  queryOptions({ queryKey: campaignKeys.one(id), queryFn: ({ signal }) => api.get({ params: { id }, signal }) })

export const useCampaign = (id: string) => useQuery(campaignQuery(id))

/** The fee of a campaign created now, and the drop-out rate. */
export const useNewTerms = () =>
  useQuery({ queryKey: campaignKeys.newTerms, queryFn: ({ signal }) => api.newTerms({ signal }) })

/** The owner may have replaced the link meanwhile: the screen behind the dialog must show the new one. */
export const decidingOnLink = (decision: Promise<Campaign>): Promise<Campaign> =>
  decision.catch((error: unknown) => {
    void invalidate(campaignKeys.all)
    throw error
  })

/**
 * After an action, its response is shown immediately; lists and everything else that an action can change below campaigns
 * are reloaded: money, and the audit log.
 */
export const afterAction = (campaign: Campaign): void => {
  queryClient.setQueryData(campaignQuery(campaign.id).queryKey, campaign)
  void invalidate(campaignKeys.all, ledgerKeys.all, auditKeys.all)
}
