import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { accountApi, ProfileChange, type User } from '../../accounts/contract.ts'
import { payoutPauseHours } from '../../accounts/rules.ts'
import { useMe } from '../../accounts/web/face.tsx'
import { client } from '../../app/web/api.ts'
import { useUser } from '../../app/web/auth.tsx'
import { queryClient } from '../../app/web/query.ts'
import { Alert } from '../../app/web/ui/Alert.tsx'
import { Button } from '../../app/web/ui/Button.tsx'
import { Card } from '../../app/web/ui/Card.tsx'
import { Dialog } from '../../app/web/ui/Dialog.tsx'
import { Field } from '../../app/web/ui/Field.tsx'
import { Form, useSchemaForm } from '../../app/web/ui/Form.tsx'
import { Input } from '../../app/web/ui/Input.tsx'
import { Query } from '../../app/web/ui/Query.tsx'
import { Skeleton } from '../../app/web/ui/States.tsx'
import { notify } from '../../app/web/ui/toast.tsx'

const accounts = client(accountApi)

/** The profile's field, which has to be filled in here. */
const PaymentMethod = z.object({ paymentMethod: ProfileChange.shape.paymentMethod.unwrap().unwrap() })

/** Where payouts go, or what campaigns are charged to, and the way to change it. */
export const PaymentMethodCard = ({ className = '' }: { className?: string }) => {
  const { role } = useUser()
  const [changing, setChanging] = useState(false)
  const me = useMe()
  return (
    <Card
      title="Payment method"
      description={role === 'TESTER' ? 'Your withdrawals go here.' : 'Your campaigns are charged to it.'}
      className={className}
      action={
        <Button variant="outline" size="sm" disabled={!me.data} onClick={() => setChanging(true)}>
          Change<span className="sr-only"> payment method</span>
        </Button>
      }
    >
      <Query of={me} loading={<Skeleton className="h-6 w-48" />} errorTitle="Failed to load your payment method">
        {user => (
          <>
            <p className="font-medium wrap-anywhere">{user.paymentMethod}</p>
            {changing && <ChangeDialog user={user} onClose={() => setChanging(false)} />}
          </>
        )}
      </Query>
    </Card>
  )
}

const ChangeDialog = ({ user, onClose }: { user: User; onClose: () => void }) => {
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
