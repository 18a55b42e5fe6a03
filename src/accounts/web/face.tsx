/** What other slices' screens may use from accounts. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './calls.ts'
import { accountKeys } from './keys.ts'

export const meQuery = queryOptions({ queryKey: accountKeys.me, queryFn: ({ signal }) => api.me({ signal }) })

/** The signed-in user's full profile: time zone, country, payment method, payout pause. PATCH /users/me changes it. */
export const useMe = () => useQuery(meQuery)
