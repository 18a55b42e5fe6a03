import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { paths } from '../../../kit/paths.ts'
import { session } from '../../../kit/web/session.ts'
import { Alert } from '../../../kit/web/ui/Alert.tsx'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Dialog } from '../../../kit/web/ui/Dialog.tsx'
import { Field } from '../../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../../kit/web/ui/Form.tsx'
import { Input } from '../../../kit/web/ui/Input.tsx'
import { saved } from '../../../kit/web/ui/LeaveGuard.tsx'
import { PasswordInput } from '../../../kit/web/ui/PasswordInput.tsx'
import { AccountDeletion } from '../../contract.ts'
import { api } from '../calls.ts'

const word = 'DELETE'

const Confirmed = AccountDeletion.extend({
  confirmation: z.string().refine(typed => typed.trim() === word, { error: `Type ${word} to confirm` }),
})

export const DeleteAccountDialog = ({ onClose }: { onClose: () => void }) => {
  const navigate = useNavigate()
  const form = useSchemaForm(Confirmed, { password: '', confirmation: '' })
  const remove = useMutation({
    mutationFn: (password: string) => api.deleteMe({ body: { password } }),
    onSuccess: async () => {
      // Nothing of a changed form is left to be saved.
      await navigate(paths.home, saved)
      session.leave()
    },
  })
  return (
    <Dialog open onOpenChange={onClose} title="Delete your account?" locked={remove.isPending}>
      <Form
        form={form}
        onSubmit={({ password }) => remove.mutate(password)}
        loading={remove.isPending || remove.isSuccess}
        submitError={remove.error}
        submitLabel="Delete my account"
        submitVariant="destructive"
        actions={
          <Button variant="outline" disabled={remove.isPending} onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <Alert tone="yellow">You cannot undo this. Export your data first if you want to keep it.</Alert>
        <Field of={form} name="password" label="Password">
          {control => <PasswordInput autoComplete="current-password" {...control} />}
        </Field>
        <Field of={form} name="confirmation" label={`Type ${word} to confirm`}>
          {control => <Input autoComplete="off" autoCapitalize="characters" spellCheck={false} {...control} />}
        </Field>
      </Form>
    </Dialog>
  )
}
