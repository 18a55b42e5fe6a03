/** What other slices' screens may use of accounts. */
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, Suspense, lazy } from 'react'
import { client } from '../../kit/web/api.ts'

const api = client('accounts')

/** The whole profile of who is signed in: time zone, country, payment method, payout pause. Changed with PATCH /users/me. */
export const useMe = () => useQuery({ queryKey: ['accounts', 'me'], queryFn: ({ signal }) => api.me({ signal }) })

const LazyBanUserDialog = lazy(async () => ({
  default: (await import('../../people/web/BanUserDialog.tsx')).BanUserDialog,
}))

/** For admins: asks for the reason, says what it does, and suspends the user. */
export const BanUserDialog = (props: ComponentProps<typeof LazyBanUserDialog>) => (
  <Suspense>
    <LazyBanUserDialog {...props} />
  </Suspense>
)
