import { Suspense, lazy, useState } from 'react'
import { type Unsent, unsentHere } from '../../../kit/web/drafts.ts'
import { session } from '../../../kit/web/session.ts'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { useUser } from '../../../kit/web/user.ts'

const SignOutEverywhereDialog = lazy(async () => ({
  default: (await import('./SignOutEverywhereDialog.tsx')).SignOutEverywhereDialog,
}))

/** For a lost device, or if somebody else may be signed in: ends all sessions, listed or not. */
export const SignOutEverywhere = () => {
  const { id } = useUser()
  const [asked, setAsked] = useState<{ unsent: Unsent | null } | null>(null)
  const ask = async () => setAsked({ unsent: await unsentHere(id) })
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t pt-4">
      <p className="min-w-0 flex-1 basis-60 text-muted-foreground">
        Lost a device, or see one that is not yours? Sign out everywhere, then change your password.
      </p>
      <Button variant="outline" onClick={() => session.beforeLeaving(() => void ask())}>
        Sign out everywhere
      </Button>
      {asked && (
        <Suspense>
          <SignOutEverywhereDialog {...asked} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </div>
  )
}
