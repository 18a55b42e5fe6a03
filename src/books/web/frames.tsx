/** What the ledger's screen says whatever is in it, also before its code has loaded (shells.tsx). */
import type { ReactNode } from 'react'
import { Card } from '../../kit/web/ui/Card.tsx'

export const accountLabel = 'Account'

export const TransfersFrame = ({ children }: { children: ReactNode }) => (
  <Card
    title="Transfers"
    description="Newest first. Balances are credits minus debits, so money that the provider holds for us is negative."
    flush
  >
    {children}
  </Card>
)
