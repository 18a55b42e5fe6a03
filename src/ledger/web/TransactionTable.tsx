import type { Role } from '../../kit/roles.ts'
import { useMedia } from '../../kit/web/media.ts'
import { useUser } from '../../kit/web/user.ts'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { Transaction } from '../contract.ts'
import { HoldLine } from './Holds.tsx'
import { TransactionBadge } from './TransactionBadge.tsx'
import { TransactionLines } from './TransactionLines.tsx'
import { PaperLink, PaymentParts, SignedAmount, WhatFor } from './TransactionParts.tsx'
import { typeWord } from './transactionWords.ts'

export const TransactionTable = ({ transactions }: { transactions: readonly Transaction[] }) => {
  const { role } = useUser()
  const narrow = useMedia('(width < 64rem)')
  if (narrow) return <TransactionLines transactions={transactions} role={role} />
  return <Table caption="Transactions" columns={columnsFor(role)} rows={transactions} keyOf={({ id }) => id} inSteps />
}

const columnsFor = (role: Role): Column<Transaction>[] => [
  {
    head: 'Type',
    primary: true,
    cell: transaction => (
      <>
        {typeWord(transaction, role)}
        <span className="block font-normal text-muted-foreground">
          <WhatFor of={transaction} role={role} />
        </span>
        {transaction.failureReason !== null && (
          <span className="block font-normal text-destructive">{transaction.failureReason}</span>
        )}
        <HoldLine of={transaction.hold} />
        <PaymentParts of={transaction} />
      </>
    ),
  },
  { head: 'Date', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  {
    head: 'Status',
    cell: ({ status }) => <TransactionBadge status={status} />,
  },
  { head: 'Amount', align: 'right', cell: transaction => <SignedAmount of={transaction} /> },
  paperColumn(role),
]

const paperColumn = (role: Role): Column<Transaction> => ({
  head: role === 'DEVELOPER' ? 'Receipt' : 'Payout advice',
  align: 'right',
  cell: transaction =>
    transaction.paymentId === null && transaction.refundId === null && transaction.withdrawalId === null ? (
      <span className="text-muted-foreground">–</span>
    ) : (
      <PaperLink of={transaction} />
    ),
})
