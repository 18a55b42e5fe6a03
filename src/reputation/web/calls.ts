import { queryOptions } from '@tanstack/react-query'
import { client } from '../../kit/web/api.ts'
import type { reputationApi } from '../contract.ts'
import { mostAsked } from '../terms.ts'
import { reputationKeys } from './keys.ts'

const api = client<typeof reputationApi>('reputation')

export const testersQuery = (campaignId: string) =>
  queryOptions({
    queryKey: reputationKeys.testers(campaignId),
    queryFn: ({ signal }) => api.testers({ params: { id: campaignId }, signal }),
  })

/** Each once, in one order, so that the cards of a list share one answer; of a longer list the first. */
export const developersQuery = (asked: readonly string[]) => {
  const ids = [...new Set(asked)].slice(0, mostAsked).toSorted()
  return queryOptions({
    queryKey: reputationKeys.developers(ids),
    queryFn: ({ signal }) => api.developers({ query: { ids: ids.join(',') }, signal }),
  })
}

export const ownQuery = queryOptions({
  queryKey: reputationKeys.own,
  queryFn: ({ signal }) => api.own({ signal }),
})
