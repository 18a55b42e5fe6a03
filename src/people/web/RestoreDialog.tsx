import { useMutation } from '@tanstack/react-query'
import { notify } from '../../kit/web/ui/toast.tsx'
import { peopleApi } from '../contract.ts'
import { ReasonDialog, type UserDialogProps } from './ReasonDialog.tsx'
import { api, refreshUsers } from './calls.ts'

export const RestoreDialog = ({ user, open, onOpenChange }: UserDialogProps) => {
  const restore = useMutation({
    mutationFn: (reason: string) => api.unban({ params: { id: user.id }, body: { reason } }),
    onSuccess: async () => {
      onOpenChange(false)
      notify.success(`${user.name} was restored`)
      await refreshUsers()
    },
  })
  return (
    <ReasonDialog
      schema={peopleApi.unban.body}
      open={open}
      onOpenChange={onOpenChange}
      title={`Restore ${user.name}`}
      description="They can sign in again, and withdrawals that waited go on. Seats that were lost stay lost; paused campaigns stay paused until their developer starts them."
      hint={`${user.name} reads it in an email.`}
      submitLabel="Restore User"
      errorFallback="Failed to restore the user"
      deed={restore}
    />
  )
}
