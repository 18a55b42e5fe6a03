import { invalidate } from '../../../kit/web/query.ts'
import { ConfirmDialog } from '../../../kit/web/ui/ConfirmDialog.tsx'
import { notify } from '../../../kit/web/ui/toast.tsx'
import { accountKeys } from '../keys.ts'

type Props = { title: string; done: string; onClose: () => void; onRemove: () => Promise<void> }

/** Asks before a second factor is removed. */
export const RemoveDialog = ({ title, done, onClose, onRemove }: Props) => (
  <ConfirmDialog
    open
    onOpenChange={onClose}
    title={title}
    description="You will no longer be able to sign in with it. If it is your last second factor, your password alone will be enough to sign in."
    confirmLabel="Remove"
    tone="destructive"
    errorFallback="Failed to remove the second factor"
    onConfirm={async () => {
      await onRemove()
      notify.success(done)
      void invalidate(accountKeys.secondFactors)
    }}
  />
)
