import { useMutation } from '@tanstack/react-query'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Textarea } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Campaign } from '../contract.ts'
import { api, useAfterAction } from './campaignCache.ts'

const schema = async () => (await import('../contract.ts')).campaignApi.reject.body

export const RejectDialog = ({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) => {
  const form = useSchemaForm(schema, { reason: '' })
  const afterAction = useAfterAction()
  const reject = useMutation({
    mutationFn: ({ reason }: { reason: string }) => api.reject({ params: { id: campaign.id }, body: { reason } }),
    onSuccess: rejected => {
      afterAction(rejected)
      notify.success('Campaign rejected')
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Reject ${campaign.title}`}
      description={`${campaign.developer.name} reads the reason, can change the campaign and submit it again. What was paid stays in it.`}
      locked={reject.isPending}
    >
      <Form
        form={form}
        onSubmit={reject.mutate}
        loading={reject.isPending}
        submitError={reject.error}
        submitLabel="Reject campaign"
        submitVariant="destructive"
        errorFallback="Failed to reject the campaign"
        actions={
          <Button variant="outline" disabled={reject.isPending} onClick={onClose}>
            Cancel
          </Button>
        }
      >
        <Field of={form} name="reason" label="Reason" hint="Say what has to change.">
          {control => <Textarea rows={5} maxLength={2000} {...control} />}
        </Field>
      </Form>
    </Dialog>
  )
}
