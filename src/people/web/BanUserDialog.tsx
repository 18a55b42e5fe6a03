import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { peopleApi } from '../contract.ts'
import { ReasonDialog, type UserDialogProps } from './ReasonDialog.tsx'
import { api, refreshUsers } from './calls.ts'

/** One deed with two names: among users one suspends, over a fraud report one bans (spec §2). */
const done = { Suspend: 'suspended', Ban: 'banned' }

type Props = UserDialogProps & {
  verb?: keyof typeof done
  description?: string
  /** What else there is to know before. */
  children?: ReactNode
}

export const BanUserDialog = ({ user, open, onOpenChange, verb = 'Suspend', description, children }: Props) => {
  const ban = useMutation({
    mutationFn: (reason: string) => api.ban({ params: { id: user.id }, body: { reason } }),
    onSuccess: async () => {
      onOpenChange(false)
      notify.success(`${user.name} was ${done[verb]}`)
      await refreshUsers()
    },
  })
  return (
    <ReasonDialog
      schema={peopleApi.ban.body}
      open={open}
      onOpenChange={onOpenChange}
      title={`${verb} ${user.name}`}
      description={description}
      hint={`${user.name} reads it in an email and when signing in.`}
      submitLabel={`${verb} User`}
      submitVariant="destructive"
      errorFallback={`Failed to ${verb.toLowerCase()} the user`}
      deed={ban}
    >
      {children}
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
