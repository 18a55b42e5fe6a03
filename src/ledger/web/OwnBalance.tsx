import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { useUser } from '../../kit/web/user.ts'
import type { Balance } from '../contract.ts'
import { balanceQuery } from './calls.ts'

type Shown = { children: (balance: Pick<Balance, 'balanceCents' | 'minimumWithdrawalCents'> | null) => ReactNode }

/** Passes on a tester's balance once it is known; null for other roles, which have none. */
export const OwnBalance = ({ children }: Shown) =>
  useUser().role === 'TESTER' ? <OfTester>{children}</OfTester> : children(null)

const OfTester = ({ children }: Shown) => (
  <Query of={useQuery(balanceQuery)} loading={<Skeleton className="h-40" />} errorTitle="Failed to load your balance">
    {children}
  </Query>
)
