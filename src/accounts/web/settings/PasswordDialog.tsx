import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { queryClient } from '../../../kit/web/query.ts'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Dialog } from '../../../kit/web/ui/Dialog.tsx'
import { Field } from '../../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../../kit/web/ui/Form.tsx'
import { PasswordInput } from '../../../kit/web/ui/PasswordInput.tsx'
import { notify } from '../../../kit/web/ui/toast.tsx'
import { PasswordChange } from '../../contract.ts'
import { PasswordStrength } from '../PasswordStrength.tsx'
import { api } from '../calls.ts'

const NewPasswordTwice = PasswordChange.extend({ confirmPassword: z.string() }).refine(
  ({ newPassword, confirmPassword }) => newPassword === confirmPassword,
  { error: 'Passwords do not match', path: ['confirmPassword'], when: () => true },
)

export const PasswordDialog = ({ onClose }: { onClose: () => void }) => {
  const form = useSchemaForm(NewPasswordTwice, { currentPassword: '', newPassword: '', confirmPassword: '' })
  const change = useMutation({
    mutationFn: (body: z.output<typeof PasswordChange>) => api.changePassword({ body }),
    onSuccess: async () => {
      onClose()
      notify.success('Password changed. You are signed out everywhere else.')
      await queryClient.invalidateQueries({ queryKey: ['accounts', 'sessions'] })
    },
  })
  return (
    <Dialog open onOpenChange={onClose} title="Change password" locked={change.isPending}>
      <Form
        form={form}
        onSubmit={({ currentPassword, newPassword }) => change.mutate({ currentPassword, newPassword })}
        loading={change.isPending}
        submitError={change.error}
        submitLabel="Change password"
        errorFallback="Failed to change the password"
        actions={
          <Button variant="ghost" disabled={change.isPending} onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <Field of={form} name="currentPassword" label="Current password">
          {control => <PasswordInput autoComplete="current-password" {...control} />}
        </Field>
        <Field
          of={form}
          name="newPassword"
          label="New password"
          hint={<PasswordStrength password={form.watch('newPassword')} />}
        >
          {control => <PasswordInput autoComplete="new-password" {...control} />}
        </Field>
        <Field of={form} name="confirmPassword" label="Confirm new password">
          {control => <PasswordInput autoComplete="new-password" {...control} />}
        </Field>
      </Form>
    </Dialog>
  )
}
