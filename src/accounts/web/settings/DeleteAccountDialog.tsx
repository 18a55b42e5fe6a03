import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { z } from 'zod'
import { type Cents, formatCents } from '../../../kit/money.ts'
import { paths } from '../../../kit/paths.ts'
import { removeUnsent } from '../../../kit/web/drafts.ts'
import { logFailure } from '../../../kit/web/log.ts'
import { queryClient } from '../../../kit/web/query.ts'
import { session } from '../../../kit/web/session.ts'
import { Alert } from '../../../kit/web/ui/Alert.tsx'
import { Button } from '../../../kit/web/ui/Button.tsx'
import { Checkbox } from '../../../kit/web/ui/Choice.tsx'
import { Dialog } from '../../../kit/web/ui/Dialog.tsx'
import { Field } from '../../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../../kit/web/ui/Form.tsx'
import { Input } from '../../../kit/web/ui/Input.tsx'
import { saved } from '../../../kit/web/ui/LeaveGuard.tsx'
import { AccountDeletion } from '../../contract.ts'
import { api } from '../calls.ts'
import { OwnPasswordInput } from '../OwnPasswordInput.tsx'

const word = 'DELETE'

const Confirmed = AccountDeletion.extend({
  confirmation: z.string().refine(typed => typed.trim() === word, { error: `Type ${word} to confirm` }),
})

/** If the balance is too small to withdraw, the user has to agree to give up the exact amount shown. */
const confirmedWith = (givesUpCents: Cents) =>
  Confirmed.refine(({ givesUpCents: given = 0 }) => given === givesUpCents, {
    path: ['givesUpCents'],
    error: 'Confirm that you are giving up your balance',
  })

/** A tester's balance; null for other users. */
type OwnBalance = { balanceCents: Cents; minimumWithdrawalCents: Cents } | null

type Props = {
  /** Renders its children once the balance has loaded. */
  balance: (props: { children: (of: OwnBalance) => ReactNode }) => ReactNode
  onClose: () => void
}

export const DeleteAccountDialog = ({ balance: Balance, onClose }: Props) => {
  const [busy, setBusy] = useState(false)
  return (
    <Dialog open onOpenChange={onClose} title="Delete your account?" locked={busy}>
      <Balance>{of => <DeletionForm balance={of} onBusy={setBusy} onClose={onClose} />}</Balance>
    </Dialog>
  )
}

type FormProps = { balance: OwnBalance; onBusy: (busy: boolean) => void; onClose: () => void }

const DeletionForm = ({ balance, onBusy, onClose }: FormProps) => {
  const navigate = useNavigate()
  // The session may be over before the answer comes.
  const [userId] = useState(() => session.user()?.id)
  const { balanceCents, minimumWithdrawalCents } = balance ?? { balanceCents: 0, minimumWithdrawalCents: 0 }
  const withdrawable = balanceCents > 0 && balanceCents >= minimumWithdrawalCents
  const givesUpCents = withdrawable ? 0 : balanceCents
  const form = useSchemaForm(confirmedWith(givesUpCents), { password: '', confirmation: '' })
  const remove = useMutation({
    mutationFn: (body: AccountDeletion) => api.deleteMe({ body }),
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    // The balance may have changed since it was shown.
    onError: () => void queryClient.invalidateQueries(),
    onSuccess: async () => {
      // Nobody can send them any more.
      if (userId !== undefined)
        await removeUnsent(userId).catch((error: unknown) => logFailure('Drafts are left on this device', error))
      // `saved` discards any changed form without asking.
      await navigate(paths.home, saved)
      session.leave()
    },
  })
  return (
    <Form
      form={form}
      onSubmit={({ password, givesUpCents: given }) =>
        remove.mutate({ password, ...(given !== undefined && { givesUpCents: given }) })
      }
      loading={remove.isPending || remove.isSuccess}
      submitError={remove.error}
      submitLabel="Delete my account"
      submitVariant="destructive"
      disabled={withdrawable}
      actions={
        <Button variant="outline" disabled={remove.isPending} onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <Alert tone="yellow">
        You cannot undo this. Export your data first if you want to keep it.
        {session.user()?.role === 'TESTER' &&
          ' Your check-ins, proofs and bug reports stay with their campaigns, without your name. Any rejection you could still appeal becomes final, and its pay is lost.'}
      </Alert>
      {withdrawable && (
        <Alert tone="red" title={`Your balance is ${formatCents(balanceCents)}`}>
          <Link to={paths.balance} className="underline">
            Withdraw it
          </Link>{' '}
          first. You can delete your account once the money has arrived.
        </Alert>
      )}
      {givesUpCents > 0 && (
        <div className="grid gap-2 rounded-md border bg-background p-3">
          <p className="text-muted-foreground">
            Your balance of {formatCents(givesUpCents)} is below the minimum withdrawal of{' '}
            {formatCents(minimumWithdrawalCents)}. You can earn more and withdraw it, or give it up with your account.
          </p>
          <Field of={form} name="givesUpCents">
            {({ value, onChange, ...control }) => (
              <Checkbox
                {...control}
                value={value === givesUpCents}
                onChange={agreed => onChange(agreed ? givesUpCents : undefined)}
                label={`I give up ${formatCents(givesUpCents)}`}
              />
            )}
          </Field>
        </div>
      )}
      <Field of={form} name="password" label="Password">
        {control => <OwnPasswordInput {...control} />}
      </Field>
      <Field of={form} name="confirmation" label={`Type ${word} to confirm`}>
        {control => <Input autoComplete="off" autoCapitalize="characters" spellCheck={false} {...control} />}
      </Field>
    </Form>
  )
}
