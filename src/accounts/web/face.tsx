/** What other slices' screens may use from accounts. */
import { useQuery } from '@tanstack/react-query'
import { api } from './calls.ts'

/** The signed-in user's full profile: time zone, country, payment method, payout pause. PATCH /users/me changes it. */
export const useMe = () => useQuery({ queryKey: ['accounts', 'me'], queryFn: ({ signal }) => api.me({ signal }) })
