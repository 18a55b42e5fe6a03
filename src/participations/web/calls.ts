import { ApiError } from '../../app/web/apiError.ts'
import { queryClient } from '../../app/web/query.ts'
import { client } from '../../app/web/api.ts'

export const api = client('participations')

/** A seat taken or given back changes the campaign too, and a verified test the money. */
export const refreshTests = () =>
  Promise.all(
    ['participations', 'campaigns', 'ledger'].map(slice => queryClient.invalidateQueries({ queryKey: [slice] })),
  )

/** The server names fields of its request; where a form has others, the sentence stands below the form. */
export const asWhole = (error: unknown): never => {
  if (!(error instanceof ApiError)) throw error
  const { status, message, code, requestId } = error
  throw new ApiError(status, message, { code, requestId, cause: error })
}
