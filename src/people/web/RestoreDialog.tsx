import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { peopleApi } from '../contract.ts'
import { api, refreshUsers } from './calls.ts'

type Props = { user: { id: string; name: string }; onClose: () => void }

export const RestoreDialog = ({ user: { id, name }, onClose }: Props) => (
  <ReasonDialog
    form={useSchemaForm(peopleApi.unban.body, { reason: '' })}
    name="reason"
    rows={3}
    onClose={onClose}
    title={`Restore ${name}`}
    description="The user can sign in again, and withdrawals on hold resume. Lost seats are not restored, and paused campaigns stay paused until their developer resumes them."
    hint={`${name} sees this in an email.`}
    submitLabel="Restore User"
    onSubmit={async body => {
      try {
        await api.unban({ params: { id }, body })
        notify.success(`${name} was restored`)
      } finally {
        // Also after an error, because another admin may have been first.
        void refreshUsers()
      }
    }}
  />
)
