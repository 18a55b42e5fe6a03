import { useMutation } from '@tanstack/react-query'
import type { CallInput } from '../../kit/endpoint.ts'
import { formatCents } from '../../kit/money.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Textarea } from '../../kit/web/ui/Input.tsx'
import { Select } from '../../kit/web/ui/Select.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { type CampaignTester, participationApi } from '../contract.ts'
import { rejectionCodes } from '../terms.ts'
import { api, refreshTests } from './calls.ts'
import { rejectionWords } from './statusWords.ts'

type Rejection = CallInput<typeof participationApi.reject>['body']

const codeOptions = [
  { value: '', label: 'Choose a code' },
  ...rejectionCodes.map(value => ({ value, label: rejectionWords[value] })),
]

const leastReason = 30

export const RejectDialog = ({
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
  const form = useSchemaForm(participationApi.reject.body, { reason: '' })
  const reject = useMutation({
    mutationFn: (body: Rejection) => api.reject({ params: { id }, body }),
    onSuccess: () => {
      notify.success(`The proof of ${alias} is rejected`)
      void refreshTests()
      onDone()
    },
  })
  const length = form.watch('reason').trim().length
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Reject the proof of ${alias}?`}
      description={
        campaign.status === 'CANCELLED'
          ? `They are paid nothing and see your reason. The ${formatCents(campaign.payPerTesterCents)} of this seat and its fee go back to the developer.`
          : 'They are paid nothing and see your reason. The pay stays in escrow, and the seat is free again.'
      }
      locked={reject.isPending}
    >
      <Form
        form={form}
        onSubmit={reject.mutate}
        loading={reject.isPending}
        submitError={reject.error}
        submitLabel="Reject proof"
        submitVariant="destructive"
        errorFallback="Failed to reject"
        actions={
          <Button variant="ghost" disabled={reject.isPending} onClick={() => onOpenChange(false)}>
            Back
          </Button>
        }
      >
        <Field of={form} name="code" label="Code">
          {({ value, ...control }) => <Select {...control} value={value ?? ''} options={codeOptions} />}
        </Field>
        <Field
          of={form}
          name="reason"
          label="Reason"
          aside={
            <span className="tabular-nums">
              {length < leastReason ? `${length} of at least ${leastReason} characters` : `${length} characters`}
            </span>
          }
        >
          {control => <Textarea {...control} rows={5} />}
        </Field>
      </Form>
    </Dialog>
  )
}
