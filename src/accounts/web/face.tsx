/** What other slices' screens may use of accounts. */
import { useQuery } from '@tanstack/react-query'
import { api } from './calls.ts'

/** The whole profile of who is signed in: time zone, country, payment method, payout pause. Changed with PATCH /users/me. */
export const useMe = () => useQuery({ queryKey: ['accounts', 'me'], queryFn: ({ signal }) => api.me({ signal }) })
