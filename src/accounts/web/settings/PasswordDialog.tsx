import { z } from 'zod'
import { invalidate } from '../../../kit/web/query.ts'
import { Field } from '../../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../../kit/web/ui/FormDialog.tsx'
import { PasswordInput } from '../../../kit/web/ui/PasswordInput.tsx'
import { notify } from '../../../kit/web/ui/toast.tsx'
import { PasswordChange } from '../../contract.ts'
import { isSamePassword } from '../../inputs.ts'
import { useAuth } from '../auth.tsx'
import { NewPasswordHint } from '../NewPasswordHint.tsx'
import { api } from '../calls.ts'
import { accountKeys } from '../keys.ts'
import { OwnPasswordInput } from '../OwnPasswordInput.tsx'

const NewPasswordTwice = PasswordChange.extend({ confirmPassword: z.string() }).refine(
  ({ newPassword, confirmPassword }) => isSamePassword(newPassword, confirmPassword),
  { error: 'Passwords do not match', path: ['confirmPassword'], when: () => true },
)

const nobody = { name: '', email: '' }

export const PasswordDialog = ({ onClose }: { onClose: () => void }) => {
  const owner = useAuth().user ?? nobody
  const form = useSchemaForm(NewPasswordTwice, { currentPassword: '', newPassword: '', confirmPassword: '' })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Change password"
      submitLabel="Change password"
      onSubmit={async ({ currentPassword, newPassword }) => {
        await api.changePassword({ body: { currentPassword, newPassword } })
        notify.success('Password changed. You were signed out on all other devices.')
        // The new password also cancelled a pending change of address.
        void invalidate(accountKeys.sessions, accountKeys.me)
      }}
    >
      <Field of={form} name="currentPassword" label="Current password">
        {control => <OwnPasswordInput {...control} />}
      </Field>
      <Field
        of={form}
        name="newPassword"
        label="New password"
        hint={<NewPasswordHint password={form.watch('newPassword')} owner={owner} />}
      >
        {control => <PasswordInput autoComplete="new-password" {...control} />}
      </Field>
      <Field of={form} name="confirmPassword" label="Confirm new password">
        {control => <PasswordInput autoComplete="new-password" {...control} />}
      </Field>
    </FormDialog>
  )
}
