import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, lazy, useEffect, useSyncExternalStore } from 'react'
import { Outlet, useNavigation, useParams } from 'react-router'
import { ConfirmEmailNotice } from '../../../accounts/web/ConfirmEmailNotice.tsx'
import { unsentOf } from '../../../participations/web/unsent.ts'
import { useUser } from '../../../kit/web/user.ts'
import { follows } from '../follows.ts'
import { RequireSignIn } from '../guards.tsx'
import { StepUpHost } from '../../../accounts/web/secondFactor/StepUpHost.tsx'
import { secondFactor } from '../../../kit/web/secondFactor.ts'
import { provideFollows, queryClient } from '../../../kit/web/query.ts'
import { preloadDialog } from '../../../kit/web/ui/Dialog.tsx'
import { PageSpinner } from '../../../kit/web/ui/Spinner.tsx'
import { Tooltips } from '../../../kit/web/ui/Tooltips.tsx'
import { DashboardFrame } from './DashboardFrame.tsx'
import { Navigation } from './Navigation.tsx'
import { TopBar } from './TopBar.tsx'

provideFollows(follows)

const idleMs = 3000

// Preloads after the first screen has rendered: a dialog then opens within the tap, which a phone needs to show its keyboard.
setTimeout(preloadDialog, idleMs)

/** Verifications that a reload or a lost connection kept from being sent. Their code is loaded only if there are any. */
const SendUnsent = () => {
  const { id } = useUser()
  useEffect(() => {
    if (unsentOf(id).length === 0) return
    void import('../../../participations/web/verifications.ts').then(({ verifications }) => verifications.resume())
  }, [id])
  return null
}

/** Remounts when the id in the address changes, so nothing written for one test, bug or campaign shows up on another. */
const Screen = () => <Outlet key={useParams().id} />

/** Wraps every signed-in screen: its frame, and what the screens share. */
export const DashboardLayout = () => (
  <RequireSignIn>
    <QueryClientProvider client={queryClient}>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-primary px-4 py-2 font-medium text-primary-foreground focus:translate-y-0"
      >
        Skip to content
      </a>
      <LoadingBar />
      <UnlessSetupMissing>
        <DashboardFrame side={<Navigation look="side" />} top={<TopBar />} bottom={<Navigation look="bottom" />}>
          <ConfirmEmailNotice />
          <Suspense fallback={<PageSpinner />}>
            <Screen />
          </Suspense>
        </DashboardFrame>
      </UnlessSetupMissing>
      <StepUpHost />
      <SendUnsent />
      <Tooltips />
    </QueryClientProvider>
  </RequireSignIn>
)

const SetupScreen = lazy(async () => ({
  default: (await import('../../../accounts/web/secondFactor/SetupScreen.tsx')).SetupScreen,
}))

/** An admin who needs a second factor and has none sets it up before anything else. */
const UnlessSetupMissing = ({ children }: { children: ReactNode }) => {
  const setupMissing = useSyncExternalStore(secondFactor.subscribe, secondFactor.setupMissing)
  if (!setupMissing) return children
  return (
    <Suspense fallback={<PageSpinner />}>
      <SetupScreen />
    </Suspense>
  )
}

/** Shown while the next screen's code loads, with a delay that hides it on fast connections. */
const LoadingBar = () => {
  const { state } = useNavigation()
  if (state === 'idle') return null
  return (
    <div className="fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden" aria-hidden>
      <div className="h-full w-1/3 animate-[slide_1s_ease-in-out_150ms_infinite_both] bg-primary" />
    </div>
  )
}
