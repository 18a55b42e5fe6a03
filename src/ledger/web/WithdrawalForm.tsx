import { useState } from 'react'
import type { User } from '../../accounts/contract.ts'
import { type Cents, formatCents } from '../../kit/money.ts'
import { invalidate } from '../../kit/web/query.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { MoneyInput } from '../../kit/web/ui/NumberInput.tsx'
import { TestModeNote } from '../../kit/web/ui/TestMode.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Balance, PayoutAccount } from '../contract.ts'
import { api } from './calls.ts'
import { ledgerKeys } from './keys.ts'
import { HoldNotes, useHolds } from './Holds.tsx'

type Limits = Pick<Balance, 'balanceCents' | 'minimumWithdrawalCents'>
type Rules = Pick<Balance, 'approvalAboveCents' | 'holds'>

const schemaWithin = (limits: Limits) => async () => (await import('./withdrawalSchema.ts')).amountWithin(limits)

/** `account` is the tester's account at the payment provider, if the provider needs one. */
type Props = { balance: Limits & Rules; user: User; account: PayoutAccount | null }

/** As of the press: the balance behind the dialog is lower once the withdrawal is made, also where its reply was lost. */
type Asked = { amountCents: Cents; leftCents: Cents }

/** What the tester has to do first; null when nothing is missing. */
const firstStep = (account: PayoutAccount | null): string | null => {
  if (account === null || account.status === 'READY') return null
  if (account.status === 'NONE') return 'Set up your payout account first.'
  if (account.status === 'INCOMPLETE') return 'Your payout account is missing some details. Complete it to withdraw.'
  return account.status === 'IN_REVIEW'
    ? 'Stripe is checking your payout account. You can withdraw once it is ready.'
    : 'Stripe does not pay out to your account. Your balance is safe: set up another account.'
}

export const WithdrawalForm = ({ balance, user, account }: Props) => {
  const { balanceCents, approvalAboveCents } = balance
  const minimumWithdrawalCents = Math.max(balance.minimumWithdrawalCents, account?.minimumCents ?? 0)
  const holds = useHolds(balance.holds)
  const [asked, setAsked] = useState<Asked | null>(null)
  const form = useSchemaForm(schemaWithin({ balanceCents, minimumWithdrawalCents }), { amountCents: undefined })
  const step = firstStep(account)
  const paused = holds.length > 0 || step !== null
  const amountCents = form.watch('amountCents')
  const withdrawn = () => {
    setAsked(null)
    form.reset()
  }
  return (
    <>
      <HoldNotes of={holds} />
      {step !== null && (
        <Alert tone="yellow" className="mb-5">
          {step}
        </Alert>
      )}
      <Form
        form={form}
        onSubmit={({ amountCents: cents }) => setAsked({ amountCents: cents, leftCents: balanceCents - cents })}
        loading={false}
        submitError={null}
        submitLabel="Withdraw"
        disabled={paused || !(amountCents >= minimumWithdrawalCents)}
        actions={
          <Button
            variant="ghost"
            disabled={paused || balanceCents < minimumWithdrawalCents}
            onClick={() => form.setValue('amountCents', balanceCents, { shouldDirty: true, shouldValidate: true })}
          >
            Withdraw all
          </Button>
        }
      >
        <Field
          of={form}
          name="amountCents"
          label="Amount"
          aside={<>Minimum {formatCents(minimumWithdrawalCents)}</>}
          className="max-w-xs"
        >
          {control => <MoneyInput {...control} placeholder="10.00" disabled={paused} />}
        </Field>
      </Form>
      <ConfirmWithdrawal
        asked={asked}
        destination={account === null ? user.paymentMethod : 'Your payout account at Stripe'}
        checked={approvalAboveCents !== null && (asked?.amountCents ?? 0) > approvalAboveCents}
        onClose={() => setAsked(null)}
        onDone={withdrawn}
      />
    </>
  )
}

const ConfirmWithdrawal = ({
  asked,
  destination,
  checked,
  onClose,
  onDone,
}: {
  /** Null until an amount is requested. */
  asked: Asked | null
  destination: string
  /** The amount is more than remains of the limit after the last 7 days, so two people of our team look at it first. */
  checked: boolean
  onClose: () => void
  onDone: () => void
}) =>
  asked && (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Withdraw ${formatCents(asked.amountCents)}?`}
      description="Withdrawals are processed in 1-3 business days. We will email you now and when your money is on the way."
      items={[
        { label: 'Amount', value: <Money cents={asked.amountCents} />, strong: true },
        { label: 'To', value: destination },
        { label: 'Left in your balance', value: <Money cents={asked.leftCents} /> },
      ]}
      confirmLabel={`Withdraw ${formatCents(asked.amountCents)}`}
      errorFallback="Withdrawal failed"
      onConfirm={async () => {
        await api.withdraw({ body: { amountCents: asked.amountCents } })
        notify.success('Withdrawal request submitted successfully')
        void invalidate(ledgerKeys.all)
        onDone()
      }}
    >
      {checked && (
        <p className="text-muted-foreground">
          Two members of our team first check larger withdrawals, including several that add up within 7 days.
        </p>
      )}
      <TestModeNote />
    </ConfirmDialog>
  )
