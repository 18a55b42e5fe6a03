import { useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import { useRequestKeys } from '../../../app/web/requestKeys.ts'
import { Button } from '../../../app/web/ui/Button.tsx'
import { Dialog } from '../../../app/web/ui/Dialog.tsx'
import { Field } from '../../../app/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../../app/web/ui/Form.tsx'
import { Input, Textarea } from '../../../app/web/ui/Input.tsx'
import { notify } from '../../../app/web/ui/toast.tsx'
import { usersApi } from '../../usersContract.ts'
import type { UserDialogProps } from './ReasonDialog.tsx'
import { api, refreshUsers } from './calls.ts'

type Letter = z.output<typeof usersApi.message.body>

export const MessageDialog = ({ user, open, onOpenChange }: UserDialogProps) => {
  const form = useSchemaForm(usersApi.message.body, { subject: '', message: '' })
  const keyOf = useRequestKeys()
  const send = useMutation({
    mutationFn: (body: Letter) => api.message({ params: { id: user.id }, body, idempotencyKey: keyOf(body) }),
    onSuccess: async ({ sentTo }) => {
      onOpenChange(false)
      notify.success(`Message sent to ${sentTo}`)
      await refreshUsers()
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Message to ${user.name}`}
      description="It appears in the product and goes out by email."
      locked={send.isPending}
    >
      <Form
        form={form}
        onSubmit={send.mutate}
        loading={send.isPending}
        submitError={send.error}
        submitLabel="Send Message"
        errorFallback="Failed to send the message"
        actions={
          <Button variant="outline" disabled={send.isPending} onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
        }
      >
        <Field of={form} name="subject" label="Subject">
          {control => <Input maxLength={150} {...control} />}
        </Field>
        <Field of={form} name="message" label="Message">
          {control => <Textarea rows={6} maxLength={5000} {...control} />}
        </Field>
      </Form>
    </Dialog>
  )
}
