import { clsx } from 'clsx'
import { Link } from 'react-router'
import type { Role } from '../../kit/roles.ts'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import type { Transaction } from '../contract.ts'
import { TransactionBadge } from './TransactionBadge.tsx'
import { signOf, typeWord } from './transactionWords.ts'

export const TransactionTable = ({ transactions }: { transactions: readonly Transaction[] }) => {
  const { role } = useUser()
  return <Table caption="Transactions" columns={columnsFor(role)} rows={transactions} keyOf={({ id }) => id} />
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
      </>
    ),
  },
  { head: 'Date', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
  {
    head: 'Status',
    cell: ({ status }) => <TransactionBadge status={status} />,
  },
  { head: 'Amount', align: 'right', cell: transaction => <SignedAmount of={transaction} /> },
  // Only a developer's lines belong to a payment or a refund.
  ...(role === 'DEVELOPER' ? [receiptColumn] : []),
]

const receiptColumn: Column<Transaction> = {
  head: 'Receipt',
  align: 'right',
  cell: transaction => {
    const paper = paperOf(transaction)
    if (paper === null) return <span className="text-muted-foreground">–</span>
    return (
      <Link
        to={paper.to}
        aria-label={`View ${paper.name}: ${transaction.description}, ${transaction.campaign?.title ?? ''}`}
        className="text-link underline-offset-4 hover:underline"
      >
        View
      </Link>
    )
  },
}

const paperOf = ({ paymentId, refundId }: Transaction) => {
  if (paymentId !== null) return { name: 'receipt', to: paths.receipt(paymentId) }
  return refundId === null ? null : { name: 'credit note', to: paths.creditNote(refundId) }
}

/** The campaign, and the description where it says more than the type. */
const WhatFor = ({ of: transaction, role }: { of: Transaction; role: Role }) => {
  const { campaign, description } = transaction
  const more = description === typeWord(transaction, role) ? '' : description
  if (!campaign) return more
  return (
    <>
      <Link to={paths.campaign(campaign.id)} className="text-link underline decoration-1 underline-offset-4">
        {campaign.title}
      </Link>
      {more && ` · ${more}`}
    </>
  )
}

const SignedAmount = ({ of: transaction }: { of: Transaction }) => {
  const sign = signOf(transaction)
  return (
    <Money
      cents={transaction.amountCents}
      {...(sign && { sign })}
      className={clsx('font-medium', sign === null && 'text-muted-foreground line-through')}
    />
  )
}
