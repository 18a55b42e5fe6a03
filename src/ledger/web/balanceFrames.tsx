/** What the balance says whatever it is, also before its code has loaded (shells.tsx). */
import type { ReactNode } from 'react'
import { Card } from '../../kit/web/ui/Card.tsx'
import { TestModeBadge } from '../../kit/web/ui/TestMode.tsx'
import type { PayoutAccount } from '../contract.ts'

export const availableLabel = 'Available balance'
export const onTheWayWords = { label: 'On the way', caption: 'Requested withdrawals not paid out yet' }

export const withdrawalsGoTo = (account: PayoutAccount | null): string =>
  `Withdrawals are processed in 1-3 business days with email confirmation, sent to your ${account ? 'payout account at Stripe' : 'registered payment method'}.`

export const WithdrawFrame = ({ description, children }: { description: ReactNode; children: ReactNode }) => (
  <Card title="Withdraw" action={<TestModeBadge />} description={description}>
    {children}
  </Card>
)
