/** What other slices' screens may use of people. */
import { type ComponentProps, Suspense, lazy } from 'react'

const LazyBanUserDialog = lazy(async () => ({ default: (await import('./BanUserDialog.tsx')).BanUserDialog }))

/** For admins: asks for the reason, says what it does, and suspends the user. */
export const BanUserDialog = (props: ComponentProps<typeof LazyBanUserDialog>) => (
  <Suspense>
    <LazyBanUserDialog {...props} />
  </Suspense>
)
