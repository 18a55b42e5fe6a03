import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { type accountApi, ProfileChange, type User } from '../../accounts/contract.ts'
import { payoutPauseHours } from '../../accounts/rules.ts'
import { client } from '../../kit/web/api.ts'
import { queryClient } from '../../kit/web/query.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'

const accounts = client<typeof accountApi>('accounts')

/** The profile's field, which has to be filled in here. */
const PaymentMethod = z.object({ paymentMethod: ProfileChange.shape.paymentMethod.unwrap().unwrap() })

export const PaymentMethodDialog = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const form = useSchemaForm(PaymentMethod, { paymentMethod: user.paymentMethod })
  const change = useMutation({
    mutationFn: (body: { paymentMethod: string }) => accounts.updateMe({ body }),
    onSuccess: async () => {
      notify.success('Payment method changed')
      await queryClient.invalidateQueries({ queryKey: ['accounts'] })
      onClose()
    },
  })
  return (
    <Dialog open onOpenChange={onClose} title="Change payment method" locked={change.isPending}>
      <Form
        form={form}
        onSubmit={change.mutate}
        loading={change.isPending}
        submitError={change.error}
        submitLabel="Change payment method"
        errorFallback="Failed to change the payment method"
        actions={
          <Button variant="ghost" disabled={change.isPending} onClick={onClose}>
            Cancel
          </Button>
        }
      >
        {user.role === 'TESTER' && (
          <Alert tone="yellow">
            Withdrawals pause for {payoutPauseHours} hours after a change, so that nobody who gets into your account can
            empty it unseen.
          </Alert>
        )}
        <Field of={form} name="paymentMethod" label="Email at your payment service">
          {control => <Input {...control} type="email" autoComplete="email" autoCapitalize="none" spellCheck={false} />}
        </Field>
      </Form>
    </Dialog>
  )
}
