import { formatCents } from '../../kit/money.ts'
import { invalidate } from '../../kit/web/query.ts'
import { DescriptionList } from '../../kit/web/ui/Card.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../kit/web/ui/FormDialog.tsx'
import { Input, Textarea } from '../../kit/web/ui/Input.tsx'
import { MoneyInput } from '../../kit/web/ui/NumberInput.tsx'
import { ReasonDialog } from '../../kit/web/ui/ReasonDialog.tsx'
import { TestModeNote } from '../../kit/web/ui/TestMode.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { StuckRefund } from '../stuckRefundsContract.ts'
import type { StuckAction } from '../stuckRefunds.ts'
import { ledgerKeys } from './keys.ts'
import { stuckRefundCalls } from './stuckRefundCalls.ts'

const contract = async () => (await import('../stuckRefundsContract.ts')).stuckRefundsApi

type Props = { of: StuckRefund; onClose: () => void }

export const StuckRefundDialog = ({ decision, ...props }: Props & { decision: StuckAction }) => {
  const Dialog = dialogs[decision]
  return <Dialog {...props} />
}

/** Reloads the list after failures too, because another admin may have decided first. */
const done = async (call: Promise<unknown>, said: string) => {
  try {
    await call
  } finally {
    void invalidate(ledgerKeys.all)
  }
  notify.success(said)
}

const ofRefund = ({ amountCents, developer, campaign }: StuckRefund) => [
  { label: 'Amount', value: <Money cents={amountCents} />, strong: true },
  { label: 'Developer', value: developer.name },
  { label: 'Campaign', value: campaign.title },
]

const Retry = ({ of: refund, onClose }: Props) => (
  <ConfirmDialog
    open
    onOpenChange={onClose}
    title={`Try ${formatCents(refund.amountCents)} again?`}
    description="We will ask the payment provider once more, as a new attempt. If it refuses again, the refund stays here."
    items={[...ofRefund(refund), { label: 'Payment method', value: refund.paymentMethod }]}
    confirmLabel="Try again now"
    onConfirm={() => done(stuckRefundCalls.retryRefund({ params: { id: refund.id } }), 'Trying the refund again')}
  >
    <TestModeNote />
  </ConfirmDialog>
)

const Pay = ({ of: refund, onClose }: Props) => {
  const { id, amountCents, needsTwo, developer, campaign } = refund
  const form = useSchemaForm(async () => (await contract()).payRefund.body, {
    amountCents: Number.NaN,
    reference: '',
    note: '',
  })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Paid by other means"
      description={`Use this if you have paid ${developer.name} the refund for “${campaign.title}” yourself, for example by bank transfer. We will not ask the payment provider for it again, and the money stays with the provider.`}
      submitLabel={needsTwo ? 'Record for another admin' : 'Record as paid'}
      onSubmit={body =>
        done(
          stuckRefundCalls.payRefund({ params: { id }, body }),
          needsTwo ? 'Recorded. Another admin has to confirm it.' : 'Refund recorded as paid',
        )
      }
    >
      <Field of={form} name="amountCents" label="Amount paid" hint={`Amount owed: ${formatCents(amountCents)}.`}>
        {control => <MoneyInput {...control} />}
      </Field>
      <Field
        of={form}
        name="reference"
        label="Reference"
        hint={`For example, the transfer number. ${developer.name} sees it, and it is printed on the credit note.`}
      >
        {control => <Input autoComplete="off" {...control} />}
      </Field>
      <Field of={form} name="note" label="Note" aside="Optional" hint="Only admins see this.">
        {({ value, ...control }) => <Textarea rows={3} value={value ?? ''} {...control} />}
      </Field>
      {needsTwo && (
        <p className="text-muted-foreground">
          A payout of this amount needs two admins, so another one has to confirm it.
        </p>
      )}
    </FormDialog>
  )
}

const Confirm = ({ of: refund, onClose }: Props) => (
  <ConfirmDialog
    open
    onOpenChange={onClose}
    title={`Confirm ${formatCents(refund.amountCents)}?`}
    description="You are the second of two admins. Check the account that paid it first: once you confirm, it counts as paid, and the developer is notified."
    items={[
      ...ofRefund(refund),
      ...(refund.outside
        ? [
            { label: 'Reference', value: refund.outside.reference },
            { label: 'Recorded by', value: refund.outside.recordedBy.name },
          ]
        : []),
    ]}
    confirmLabel={`Confirm ${formatCents(refund.amountCents)}`}
    onConfirm={() => done(stuckRefundCalls.confirmRefund({ params: { id: refund.id } }), 'Refund confirmed as paid')}
  />
)

const Refuse = ({ of: refund, onClose }: Props) => (
  <ReasonDialog
    form={useSchemaForm(async () => (await contract()).refuseRefund.body, { reason: '' })}
    name="reason"
    onClose={onClose}
    title={`Discard the record that ${formatCents(refund.amountCents)} was paid?`}
    description={`The refund to ${refund.developer.name} for “${refund.campaign.title}” has not counted as paid yet, and is stuck as before.`}
    hint="Only admins see this."
    submitLabel="Discard record"
    onSubmit={({ reason }) =>
      done(stuckRefundCalls.refuseRefund({ params: { id: refund.id }, body: { reason } }), 'Record discarded')
    }
  />
)

const Settle = ({ of: refund, onClose }: Props) => (
  <ReasonDialog
    form={useSchemaForm(async () => (await contract()).settleRefund.body, { note: '' })}
    name="note"
    label="Note"
    onClose={onClose}
    title={`Settle ${formatCents(refund.amountCents)} paid twice?`}
    description={`${refund.developer.name} has given it back to you, or keeps it. Either way, the platform owes you that much less for what you paid by other means.`}
    hint="How it was settled. Only admins see this."
    submitLabel="Settle"
    onSubmit={({ note }) =>
      done(stuckRefundCalls.settleRefund({ params: { id: refund.id }, body: { note } }), 'Settled')
    }
  >
    <DescriptionList items={ofRefund(refund)} />
  </ReasonDialog>
)

const dialogs = { retry: Retry, pay: Pay, confirm: Confirm, refuse: Refuse, settle: Settle }
