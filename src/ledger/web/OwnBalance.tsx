import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { paidAtProvider } from '../../kit/web/paidAtProvider.ts'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { useUser } from '../../kit/web/user.ts'
import type { Balance } from '../contract.ts'
import { balanceQuery, payoutAccountQuery } from './calls.ts'

type Shown = { children: (balance: Pick<Balance, 'balanceCents' | 'minimumWithdrawalCents'> | null) => ReactNode }

/** Passes on a tester's balance and the least that can be withdrawn, once they are known; null for other roles, which have none. */
export const OwnBalance = ({ children }: Shown) =>
  useUser().role === 'TESTER' ? <OfTester>{children}</OfTester> : children(null)

const OfTester = ({ children }: Shown) => {
  const account = useQuery({ ...payoutAccountQuery, enabled: paidAtProvider() })
  // The bank may take only larger amounts than we do.
  const least = account.data?.minimumCents ?? 0
  return (
    <Query of={useQuery(balanceQuery)} loading={loading} errorTitle="Failed to load your balance">
      {({ balanceCents, minimumWithdrawalCents }) =>
        account.isLoading
          ? loading
          : children({ balanceCents, minimumWithdrawalCents: Math.max(minimumWithdrawalCents, least) })
      }
    </Query>
  )
}

const loading = <Skeleton className="h-40" />
