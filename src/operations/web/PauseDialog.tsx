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
    onClose={onClose}
    title="Pause the jobs"
    description="Payouts, refunds and deadlines stand still on every server until an admin lets them go on. What has begun ends. Emails, erasing and the checks of the data go on."
    hint="Admins see this here, and the audit log keeps it."
    submitLabel="Pause Jobs"
    submitVariant="destructive"
    onSubmit={async body => {
      await api.pauseJobs({ body })
      notify.success('The jobs stand still')
      void refreshOperations()
    }}
  />
)
