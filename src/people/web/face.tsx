/** What other slices' screens may use from people. */
import { type ComponentProps, Suspense, lazy } from 'react'

const LazyBanUserDialog = lazy(async () => ({ default: (await import('./BanUserDialog.tsx')).BanUserDialog }))

/** For admins: explains the effects, asks for a reason, and suspends the user. */
export const BanUserDialog = (props: ComponentProps<typeof LazyBanUserDialog>) => (
  <Suspense>
    <LazyBanUserDialog {...props} />
  </Suspense>
)
