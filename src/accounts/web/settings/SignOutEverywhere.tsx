import { useState } from 'react'
import { session } from '../../../kit/web/session.ts'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { ConfirmDialog } from '../../../kit/web/ui/ConfirmDialog.tsx'
import { api } from '../calls.ts'

/** For a lost device, or if somebody else may be signed in: ends all sessions, listed or not. */
export const SignOutEverywhere = () => {
  const [asking, setAsking] = useState(false)
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t pt-4">
      <p className="min-w-0 flex-1 basis-60 text-muted-foreground">
        Lost a device, or see one that is not yours? Sign out everywhere, then change your password.
      </p>
      <Button variant="outline" onClick={() => session.beforeLeaving(() => setAsking(true))}>
        Sign out everywhere
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Sign out everywhere?"
        description="This ends all your sessions, including this one. You will have to sign in again."
        confirmLabel="Sign out everywhere"
        tone="destructive"
        errorFallback="Failed to sign out"
        onConfirm={async () => {
          await api.endSessions()
          session.clear('You are signed out everywhere. Sign in again to continue.')
        }}
      />
    </div>
  )
}
