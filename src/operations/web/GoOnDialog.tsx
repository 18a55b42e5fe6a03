import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { minStopReason, operationsApi } from '../contract.ts'
import { api, refreshOperations } from './calls.ts'

/** Accepts only the breaches that the admin has seen. */
export const GoOnDialog = ({ breachIds, onClose }: { breachIds: string[]; onClose: () => void }) => (
  <ReasonDialog
    form={useSchemaForm(operationsApi.letWithdrawalsGoOn.body, { breachIds, reason: '' })}
    name="reason"
    label="Why withdrawals can resume"
    minLength={minStopReason}
    onClose={() => {
      onClose()
      // Only now: if another admin was first, refreshing removes this dialog, together with the message that says so.
      void refreshOperations()
    }}
    title="Resume withdrawals"
    description="Withdrawals requested in the meantime are paid out. The same difference will not stop withdrawals again, but a new or larger one will."
    hint="What was wrong, and how it was resolved. Admins see this here, and it is recorded in the audit log."
    submitLabel="Resume withdrawals"
    onSubmit={async body => {
      await api.letWithdrawalsGoOn({ body })
      notify.success('Withdrawals resumed')
    }}
  />
)
