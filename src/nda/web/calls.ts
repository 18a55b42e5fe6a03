import { queryOptions } from '@tanstack/react-query'
import { auditKeys } from '../../audit/web/keys.ts'
import { campaignKeys } from '../../campaigns/web/keys.ts'
import { client } from '../../kit/web/api.ts'
import { invalidate, pagesOf, queryClient } from '../../kit/web/query.ts'
import type { Nda, NdaAcceptance, ndaApi } from '../contract.ts'
import { ndaKeys } from './keys.ts'

export const api = client<typeof ndaApi>('nda')

export const ndaQuery = (campaignId: string) =>
  queryOptions({
    queryKey: ndaKeys.ofCampaign(campaignId),
    queryFn: ({ signal }) => api.get({ params: { id: campaignId }, signal }),
  })

/** A version never changes, so it is never reloaded. */
export const versionQuery = (campaignId: string, version: number) =>
  queryOptions({
    queryKey: ndaKeys.version(campaignId, version),
    queryFn: ({ signal }) => api.version({ params: { id: campaignId }, query: { version }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const acceptancePages = (campaignId: string) =>
  pagesOf<NdaAcceptance>(ndaKeys.acceptances(campaignId), ({ cursor, signal }) =>
    api.acceptances({ params: { id: campaignId }, query: { cursor, limit: 50 }, signal }),
  )

/** A changed NDA also affects its campaign and the tests in it. */
export const afterChange = (nda: Nda): void => {
  queryClient.setQueryData(ndaQuery(nda.campaign.id).queryKey, nda)
  void invalidate(ndaKeys.all, campaignKeys.all)
}

export const afterExport = () => invalidate(auditKeys.all)
