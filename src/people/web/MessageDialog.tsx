import { Field } from '../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../kit/web/ui/FormDialog.tsx'
import { Input, Textarea } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { type AdminUser, peopleApi } from '../contract.ts'
import { api, refreshUsers } from './calls.ts'

type Props = { user: Pick<AdminUser, 'id' | 'name' | 'status'>; onClose: () => void }

export const MessageDialog = ({ user: { id, name, status }, onClose }: Props) => {
  const form = useSchemaForm(peopleApi.message.body, { subject: '', message: '' })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={`Message to ${name}`}
      description={
        status === 'SUSPENDED'
          ? 'The user is suspended, so we will email this immediately, whatever their notification settings. They will see it in Fieldtest once they are restored.'
          : 'The user will see it in Fieldtest, and by email unless they turned that off.'
      }
      submitLabel="Send Message"
      onSubmit={async body => {
        const { sentTo } = await api.message({ params: { id }, body })
        notify.success(
          sentTo === null
            ? `Message sent. ${name} will see it in Fieldtest, and chose not to be emailed immediately.`
            : `Message sent to ${sentTo}`,
        )
        void refreshUsers()
      }}
    >
      <Field of={form} name="subject" label="Subject">
        {control => <Input maxLength={150} {...control} />}
      </Field>
      <Field of={form} name="message" label="Message">
        {control => <Textarea rows={6} maxLength={5000} {...control} />}
      </Field>
    </FormDialog>
  )
}
