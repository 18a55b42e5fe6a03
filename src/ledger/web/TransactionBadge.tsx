import type { TransactionStatus } from '../contract.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { lookOf } from './transactionWords.ts'

export const TransactionBadge = ({ status }: { status: TransactionStatus }) => {
  const { label, tone } = lookOf(status)
  return <Badge tone={tone}>{label}</Badge>
}
