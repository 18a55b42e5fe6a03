import { useMutation } from '@tanstack/react-query'
import { Alert } from '../../../app/web/ui/Alert.tsx'
import { notify } from '../../../app/web/ui/toast.tsx'
import { usersApi } from '../../usersContract.ts'
import { ReasonDialog, type UserDialogProps } from './ReasonDialog.tsx'
import { api, refreshUsers } from './calls.ts'

export const BanUserDialog = ({ user, open, onOpenChange }: UserDialogProps) => {
  const ban = useMutation({
    mutationFn: (reason: string) => api.ban({ params: { id: user.id }, body: { reason } }),
    onSuccess: async () => {
      onOpenChange(false)
      notify.success(`${user.name} was suspended`)
      await refreshUsers()
    },
  })
  return (
    <ReasonDialog
      schema={usersApi.ban.body}
      open={open}
      onOpenChange={onOpenChange}
      title={`Suspend ${user.name}`}
      hint={`${user.name} reads it in an email and when signing in.`}
      submitLabel="Suspend User"
      submitVariant="destructive"
      errorFallback="Failed to suspend the user"
      deed={ban}
    >
      <Alert tone="yellow" title="At once">
        <ul className="list-disc pl-4">
          <li>All of {user.name}’s sessions end, and signing in is refused with your reason.</li>
          <li>
            A tester leaves the campaigns that run, and the seats are free again. A proof handed in is still reviewed.
          </li>
          <li>A developer’s live campaigns are paused; testers inside go on.</li>
          <li>Withdrawals wait until the account is restored.</li>
        </ul>
      </Alert>
    </ReasonDialog>
  )
}
