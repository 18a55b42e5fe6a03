import { Suspense, lazy, useState } from 'react'
import { useMe } from '../../accounts/web/face.tsx'
import { useUser } from '../../kit/web/user.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { PayoutPause } from './PayoutPause.tsx'

const PaymentMethodDialog = lazy(async () => ({
  default: (await import('./PaymentMethodDialog.tsx')).PaymentMethodDialog,
}))

/**
 * The payment method for payouts or charges and the button that changes it. With `saysPause`, also the pause of payouts, for
 * screens without a form that says it.
 */
export const PaymentMethodCard = ({ saysPause = false }: { saysPause?: boolean }) => {
  const { role } = useUser()
  const [changing, setChanging] = useState(false)
  const me = useMe()
  return (
    <Card
      title="Payment method"
      description={role === 'TESTER' ? 'Your withdrawals are sent here.' : 'Your campaigns are charged here.'}
      action={
        <Button variant="outline" size="sm" disabled={!me.data} onClick={() => setChanging(true)}>
          Change<span className="sr-only"> payment method</span>
        </Button>
      }
    >
      <Query of={me} loading={<Skeleton className="h-6 w-48" />} errorTitle="Failed to load your payment method">
        {user => (
          <>
            {saysPause && role === 'TESTER' && <PayoutPause user={user} />}
            <p className="font-medium wrap-anywhere">{user.paymentMethod}</p>
            {changing && (
              <Suspense>
                <PaymentMethodDialog user={user} onClose={() => setChanging(false)} />
              </Suspense>
            )}
          </>
        )}
      </Query>
    </Card>
  )
}
