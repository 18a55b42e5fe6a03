import { useState } from 'react'
import { type Unsent, removeUnsent } from '../../../kit/web/drafts.ts'
import { session } from '../../../kit/web/session.ts'
import { Checkbox } from '../../../kit/web/ui/Choice.tsx'
import { ConfirmDialog } from '../../../kit/web/ui/ConfirmDialog.tsx'
import { useUser } from '../../../kit/web/user.ts'
import { counted } from '../../../kit/words.ts'
import { api } from '../calls.ts'

export const SignOutEverywhereDialog = ({ unsent, onClose }: { unsent: Unsent | null; onClose: () => void }) => {
  const { id } = useUser()
  const [removes, setRemoves] = useState(false)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
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
  )
}
