import { queryClient } from '../../kit/web/query.ts'
import { client } from '../../kit/web/api.ts'
import type { participationApi } from '../contract.ts'

export const api = client<typeof participationApi>('participations')

/** A seat taken or given back changes the campaign too, and a verified test the money. */
export const refreshTests = () =>
  Promise.all(
    ['participations', 'campaigns', 'ledger'].map(slice => queryClient.invalidateQueries({ queryKey: [slice] })),
  )
