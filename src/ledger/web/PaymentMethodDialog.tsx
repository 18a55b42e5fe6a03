import { type accountApi, OwnPassword, ProfileChange, type User } from '../../accounts/contract.ts'
import { payoutPauseHours } from '../../accounts/rules.ts'
import { accountKeys } from '../../accounts/web/keys.ts'
import { client } from '../../kit/web/api.ts'
import { invalidate } from '../../kit/web/query.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Field } from '../../kit/web/ui/Field.tsx'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import { FormDialog } from '../../kit/web/ui/FormDialog.tsx'
import { EmailInput } from '../../kit/web/ui/EmailInput.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { ledgerKeys } from './keys.ts'
import { OwnPasswordInput } from '../../accounts/web/face.tsx'

const accounts = client<typeof accountApi>('accounts')

/** The profile's fields, which are required here. */
const PaymentMethod = OwnPassword.extend({ paymentMethod: ProfileChange.shape.paymentMethod.unwrap().unwrap() })

export const PaymentMethodDialog = ({ user, onClose }: { user: User; onClose: () => void }) => {
  const form = useSchemaForm(PaymentMethod, { paymentMethod: user.paymentMethod, currentPassword: '' })
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Change payment method"
      submitLabel="Change payment method"
      onSubmit={async body => {
        await accounts.updateMe({ body })
        notify.success('Payment method changed')
        // The balance shows how long withdrawals are paused.
        await invalidate(accountKeys.all, ledgerKeys.all)
      }}
    >
      {user.role === 'TESTER' && (
        <Alert tone="yellow">
          To protect your balance, withdrawals are paused for {payoutPauseHours} hours after a change.
        </Alert>
      )}
      <Field of={form} name="paymentMethod" label="Email address of your payment account">
        {control => <EmailInput {...control} />}
      </Field>
      <Field of={form} name="currentPassword" label="Current password">
        {control => <OwnPasswordInput {...control} />}
      </Field>
    </FormDialog>
  )
}
