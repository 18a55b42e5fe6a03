import { useState } from 'react'
import type { User } from '../../accounts/contract.ts'
import { type Cents, formatCents } from '../../kit/money.ts'
import { useNow } from '../../kit/web/now.ts'
import { invalidate } from '../../kit/web/query.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { MoneyInput } from '../../kit/web/ui/Input.tsx'
import { TestModeNote } from '../../kit/web/ui/TestMode.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Balance } from '../contract.ts'
import { api } from './calls.ts'
import { ledgerKeys } from './keys.ts'
import { PayoutPause } from './PayoutPause.tsx'

type Limits = Pick<Balance, 'balanceCents' | 'minimumWithdrawalCents'>

const schemaWithin = (limits: Limits) => async () => (await import('./withdrawalSchema.ts')).amountWithin(limits)

type Props = Limits & { user: User }

export const WithdrawalForm = ({ balanceCents, minimumWithdrawalCents, user }: Props) => {
  const [askedCents, setAskedCents] = useState<Cents | null>(null)
  const now = useNow()
  const form = useSchemaForm(schemaWithin({ balanceCents, minimumWithdrawalCents }), { amountCents: undefined })
  const paused = user.mustConfirmEmail || (user.payoutsPausedUntil !== null && user.payoutsPausedUntil > now)
  const amountCents = form.watch('amountCents')
  const withdrawn = () => {
    setAskedCents(null)
    form.reset()
  }
  return (
    <>
      {user.mustConfirmEmail ? <Unconfirmed /> : <PayoutPause user={user} />}
      <Form
        form={form}
        onSubmit={asked => setAskedCents(asked.amountCents)}
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
        amountCents={askedCents}
        balanceCents={balanceCents}
        destination={user.paymentMethod}
        onClose={() => setAskedCents(null)}
        onDone={withdrawn}
      />
    </>
  )
}

/** The notice above every screen says where the link is. */
const Unconfirmed = () => (
  <Alert tone="yellow" title="Confirm your email address first" className="mb-5">
    You can withdraw once you have opened the link that we emailed to you.
  </Alert>
)

const ConfirmWithdrawal = ({
  amountCents,
  balanceCents,
  destination,
  onClose,
  onDone,
}: {
  /** Null until an amount is requested. */
  amountCents: Cents | null
  balanceCents: Cents
  destination: string
  onClose: () => void
  onDone: () => void
}) =>
  amountCents !== null && (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Withdraw ${formatCents(amountCents)}?`}
      description="Withdrawals are processed in 1-3 business days. We will email you now and when your money is on the way."
      items={[
        { label: 'Amount', value: <Money cents={amountCents} />, strong: true },
        { label: 'To', value: destination },
        { label: 'Left in your balance', value: <Money cents={balanceCents - amountCents} /> },
      ]}
      confirmLabel={`Withdraw ${formatCents(amountCents)}`}
      errorFallback="Withdrawal failed"
      onConfirm={async () => {
        await api.withdraw({ body: { amountCents } })
        notify.success('Withdrawal request submitted successfully')
        void invalidate(ledgerKeys.all)
        onDone()
      }}
    >
      <TestModeNote />
    </ConfirmDialog>
  )
