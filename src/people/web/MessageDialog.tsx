import { useMutation } from '@tanstack/react-query'
import type { z } from 'zod'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Input, Textarea } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { peopleApi } from '../contract.ts'
import type { UserDialogProps } from './ReasonDialog.tsx'
import { api, refreshUsers } from './calls.ts'

type Message = z.output<typeof peopleApi.message.body>

export const MessageDialog = ({ user, open, onOpenChange }: UserDialogProps) => {
  const form = useSchemaForm(peopleApi.message.body, { subject: '', message: '' })
  const send = useMutation({
    mutationFn: (body: Message) => api.message({ params: { id: user.id }, body }),
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
