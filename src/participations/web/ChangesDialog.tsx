import { useMutation } from '@tanstack/react-query'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Textarea } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { type CampaignTester, participationApi } from '../contract.ts'
import { api, refreshTests } from './calls.ts'

export const ChangesDialog = ({
  of: { id, alias, campaign },
  open,
  onOpenChange,
  onDone,
}: {
  of: CampaignTester
  open: boolean
  onOpenChange: (open: boolean) => void
  onDone: () => void
}) => {
  const form = useSchemaForm(participationApi.requestChanges.body, { note: '' })
  const request = useMutation({
    mutationFn: (body: { note: string }) => api.requestChanges({ params: { id }, body }),
    onSuccess: () => {
      notify.success(`${alias} was asked for changes`)
      void refreshTests()
      onDone()
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Request changes from ${alias}`}
      description={`They see your note and have ${campaign.dropHours} hours to hand in a better proof.`}
      locked={request.isPending}
    >
      <Form
        form={form}
        onSubmit={request.mutate}
        loading={request.isPending}
        submitError={request.error}
        submitLabel="Request changes"
        errorFallback="Failed to request changes"
        actions={
          <Button variant="ghost" disabled={request.isPending} onClick={() => onOpenChange(false)}>
            Back
          </Button>
        }
      >
        <Field of={form} name="note" label="What is missing?">
          {control => <Textarea {...control} rows={5} />}
        </Field>
      </Form>
    </Dialog>
  )
}
