import { queryClient } from '../../kit/web/query.ts'
import { client } from '../../kit/web/api.ts'
import type { participationApi } from '../contract.ts'

export const api = client<typeof participationApi>('participations')

/** A change to a test also changes its campaign and may move money. */
export const refreshTests = () =>
  Promise.all(
    ['participations', 'campaigns', 'ledger'].map(slice => queryClient.invalidateQueries({ queryKey: [slice] })),
  )
