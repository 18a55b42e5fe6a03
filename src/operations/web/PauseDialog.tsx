import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { operationsApi } from '../contract.ts'
import { api, refreshOperations } from './calls.ts'

export const PauseDialog = ({ onClose }: { onClose: () => void }) => (
  <ReasonDialog
    form={useSchemaForm(operationsApi.pauseJobs.body, { reason: '' })}
    name="reason"
    rows={3}
    onClose={() => {
      onClose()
      // Only now: if another admin was first, refreshing removes this dialog, together with the message that says so.
      void refreshOperations()
    }}
    title="Pause the jobs"
    description="Payouts, refunds and deadlines stop on every server until an admin resumes them. Running jobs finish. Emails, data deletion and data checks continue."
    hint="Admins see this here, and it is recorded in the audit log."
    submitLabel="Pause jobs"
    submitVariant="destructive"
    onSubmit={async body => {
      await api.pauseJobs({ body })
      notify.success('Jobs paused')
    }}
  />
)
