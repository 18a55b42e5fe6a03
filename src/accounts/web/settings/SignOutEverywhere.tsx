import { useState } from 'react'
import { type Unsent, removeUnsent, unsentHere } from '../../../kit/web/drafts.ts'
import { session } from '../../../kit/web/session.ts'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Checkbox } from '../../../kit/web/ui/Choice.tsx'
import { ConfirmDialog } from '../../../kit/web/ui/ConfirmDialog.tsx'
import { useUser } from '../../../kit/web/user.ts'
import { counted } from '../../../kit/words.ts'
import { api } from '../calls.ts'

/** For a lost device, or if somebody else may be signed in: ends all sessions, listed or not. */
export const SignOutEverywhere = () => {
  const { id } = useUser()
  const [asking, setAsking] = useState(false)
  const [unsent, setUnsent] = useState<Unsent | null>(null)
  const [removes, setRemoves] = useState(false)
  const ask = async () => {
    setUnsent(await unsentHere(id))
    setRemoves(false)
    setAsking(true)
  }
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t pt-4">
      <p className="min-w-0 flex-1 basis-60 text-muted-foreground">
        Lost a device, or see one that is not yours? Sign out everywhere, then change your password.
      </p>
      <Button variant="outline" onClick={() => session.beforeLeaving(() => void ask())}>
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
          if (removes) await removeUnsent(id)
          await api.endSessions()
          session.clear('You are signed out everywhere. Sign in again to continue.')
        }}
      >
        {unsent && (
          <Checkbox
            value={removes}
            onChange={setRemoves}
            label={`Also remove ${counted(unsent.count, 'unsent draft')} from this device: ${unsent.what}`}
          />
        )}
      </ConfirmDialog>
    </div>
  )
}
