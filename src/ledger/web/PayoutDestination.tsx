/** Where a tester's withdrawals go: a payout account at the provider or, if it needs none, the payment method. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMe } from '../../accounts/web/face.tsx'
import { paidAtProvider } from '../../kit/web/paidAtProvider.ts'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import type { PayoutAccount } from '../contract.ts'
import { payoutAccountQuery } from './calls.ts'
import { PaymentMethodCard } from './PaymentMethodCard.tsx'
import { PayoutPause } from './PayoutPause.tsx'
import { laterPart } from '../../kit/web/ui/laterPart.ts'

const PayoutAccountCard = laterPart(
  async () => (await import('./PayoutAccountCard.tsx')).PayoutAccountCard,
  <Skeleton className="h-40 rounded-xl" />,
)

type Shown = { children: (account: PayoutAccount | null) => ReactNode }

/** Passes on the account once it is known; null if withdrawals go to the payment method. */
export const WithPayoutAccount = ({ children }: Shown) =>
  paidAtProvider() ? <OfProvider>{children}</OfProvider> : children(null)

const OfProvider = ({ children }: Shown) => (
  <Query
    of={useQuery(payoutAccountQuery)}
    loading={<Skeleton className="h-64 rounded-xl" />}
    errorTitle="Failed to load your payout account"
  >
    {account => children(account.needed ? account : null)}
  </Query>
)

type Props = {
  account: PayoutAccount | null
  /** Shows the pause of payouts, if no form beside it does. */
  saysPause?: boolean
}

export const PayoutDestination = ({ account, saysPause = false }: Props) =>
  account === null ? (
    <PaymentMethodCard saysPause={saysPause} />
  ) : (
    <PayoutAccountCard account={account}>{saysPause && <OwnPause />}</PayoutAccountCard>
  )

const OwnPause = () => {
  const me = useMe()
  return me.data && <PayoutPause user={me.data} />
}

export const PayoutDestinationCard = () => (
  <WithPayoutAccount>{account => <PayoutDestination account={account} saysPause />}</WithPayoutAccount>
)
