import { Badge } from '../../kit/web/ui/Badge.tsx'
import type { TransactionStatus } from '../contract.ts'
import { statusLooks } from './transactionWords.ts'

export const TransactionBadge = ({ status }: { status: TransactionStatus }) => (
  <Badge tone={statusLooks[status].tone}>{statusLooks[status].label}</Badge>
)
