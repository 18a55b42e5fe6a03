import { Alert } from '../../../kit/web/ui/Alert.tsx'
import { Field } from '../../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../../kit/web/ui/FormDialog.tsx'
import { EmailInput } from '../../../kit/web/ui/EmailInput.tsx'
import { notify } from '../../../kit/web/ui/toast.tsx'
import { EmailChange, type User } from '../../contract.ts'
import { pauseHours } from '../../rules.ts'
import { api } from '../calls.ts'
import { keepMe } from '../face.tsx'
import { OwnPasswordInput } from '../OwnPasswordInput.tsx'

export const EmailDialog = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const form = useSchemaForm(EmailChange, { email: '', currentPassword: '' })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Change email address"
      description="We will send a link to the new address and a notice to your current one. Your address changes when you open the link."
      submitLabel="Send link"
      onSubmit={async body => {
        keepMe(await api.changeEmail({ body }))
        notify.success(`We sent a link to ${body.email}`)
      }}
    >
      {user.role === 'TESTER' && (
        <Alert tone="yellow">
          To protect your balance, withdrawals are paused for {pauseHours.EMAIL_CHANGED} hours after the change.
        </Alert>
      )}
      <Field of={form} name="email" label="New email address">
        {control => <EmailInput {...control} />}
      </Field>
      <Field of={form} name="currentPassword" label="Current password">
        {control => <OwnPasswordInput {...control} />}
      </Field>
    </FormDialog>
  )
}
