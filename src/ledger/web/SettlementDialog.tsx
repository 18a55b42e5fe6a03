import { formatCents } from '../../kit/money.ts'
import { invalidate } from '../../kit/web/query.ts'
import { Field } from '../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../kit/web/ui/FormDialog.tsx'
import { Textarea } from '../../kit/web/ui/Input.tsx'
import { MoneyInput } from '../../kit/web/ui/NumberInput.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { DisputeCase } from '../disputesContract.ts'
import { disputesCalls } from './disputeCalls.ts'
import { ledgerKeys } from './keys.ts'

/** All calls have the same body. */
const schema = async () => (await import('../disputesContract.ts')).disputesApi.settleDispute.body

const owed = ({ owedCents }: DisputeCase) => `Owed: ${formatCents(owedCents)}.`

const steps = {
  settle: {
    call: disputesCalls.settleDispute,
    title: 'Record as paid?',
    description: ({ developer, heldCents }: DisputeCase) =>
      `Use this once ${developer.name} has paid you by other means, for example by bank transfer. They can then pay for campaigns again.${
        heldCents > 0
          ? ` The campaign still holds ${formatCents(heldCents)}: if it does not need all of that, you will have to give something back.`
          : ''
      }`,
    due: owed,
    amount: 'Amount paid',
    note: 'How it was paid. Only admins see this.',
    label: 'Record as paid',
    done: 'Recorded as paid',
  },
  waive: {
    call: disputesCalls.waiveDebt,
    title: 'Waive the debt?',
    description: ({ developer }: DisputeCase) =>
      `${developer.name} no longer has to pay it, and can pay for campaigns again. What the bank took is then your loss. You cannot take this back.`,
    due: owed,
    amount: 'Amount waived',
    note: 'Why you waive it. Only admins see this.',
    label: 'Waive the debt',
    done: 'Debt waived',
  },
  giveBack: {
    call: disputesCalls.giveBackSettlement,
    title: 'Record as given back?',
    description: ({ developer }: DisputeCase) =>
      `Use this once you have given the money back to ${developer.name}, in the way they paid it.`,
    due: ({ giveBackCents }: DisputeCase) => `To give back: ${formatCents(giveBackCents)}.`,
    amount: 'Amount given back',
    note: 'How it was given back. Only admins see this.',
    label: 'Record as given back',
    done: 'Recorded as given back',
  },
} as const

export type SettlementStep = keyof typeof steps

type Props = { step: SettlementStep; of: DisputeCase; onClose: () => void }

export const SettlementDialog = ({ step, of: dispute, onClose }: Props) => {
  const { call, title, description, due, amount, note, label, done } = steps[step]
  const form = useSchemaForm(schema, { amountCents: Number.NaN, note: '' })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={title}
      description={description(dispute)}
      submitLabel={label}
      onSubmit={async body => {
        try {
          await call({ params: { id: dispute.id }, body })
        } finally {
          void invalidate(ledgerKeys.all)
        }
        notify.success(done)
      }}
    >
      <Field of={form} name="amountCents" label={amount} hint={due(dispute)}>
        {control => <MoneyInput {...control} />}
      </Field>
      <Field of={form} name="note" label="Note" hint={note}>
        {control => <Textarea rows={3} {...control} />}
      </Field>
    </FormDialog>
  )
}
