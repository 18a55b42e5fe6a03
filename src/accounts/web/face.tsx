/** What other slices' screens may use from accounts. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { queryClient } from '../../kit/web/query.ts'
import { session } from '../../kit/web/session.ts'
import type { User } from '../contract.ts'
import { api } from './calls.ts'
import { accountKeys } from './keys.ts'

export { OwnPasswordInput } from './OwnPasswordInput.tsx'

/** What of the profile is stored in this browser follows it: the address may have been confirmed elsewhere. */
const stored = ['email', 'name', 'emailVerifiedAt', 'timeZone'] as const

const follow = (me: User): User => {
  const user = session.user()
  if (user?.id === me.id && stored.some(field => user[field] !== me[field])) session.update(me)
  return me
}

export const meQuery = queryOptions({
  queryKey: accountKeys.me,
  queryFn: async ({ signal }) => follow(await api.me({ signal })),
})

/** Call this after a call that returns the profile. */
export const keepMe = (me: User): void => {
  queryClient.setQueryData(meQuery.queryKey, follow(me))
}

/** The signed-in user's full profile: time zone, country, payment method, pause of payouts. PATCH /users/me changes it. */
export const useMe = () => useQuery(meQuery)
