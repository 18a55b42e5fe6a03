import { queryOptions, useQuery } from '@tanstack/react-query'
import { auditKeys } from '../../audit/web/keys.ts'
import { campaignKeys } from '../../campaigns/web/keys.ts'
import { client } from '../../kit/web/api.ts'
import { invalidate } from '../../kit/web/query.ts'
import { participationKeys } from '../../participations/web/keys.ts'
import type { testerListApi } from '../contract.ts'
import { testerListKeys } from './keys.ts'

export const api = client<typeof testerListApi>('testerLists')

/** Exports and confirmations also change the tests on the list, and appear in the audit log. */
export const refreshList = () => invalidate(testerListKeys.all, participationKeys.all, campaignKeys.all, auditKeys.all)

export const testerListQuery = (campaignId: string) =>
  queryOptions({
    queryKey: testerListKeys.one(campaignId),
    queryFn: ({ signal }) => api.get({ params: { id: campaignId }, signal }),
  })

export const useTesterList = (campaignId: string) => useQuery(testerListQuery(campaignId))
