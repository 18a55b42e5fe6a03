import { clsx } from 'clsx'
import type { Role } from '../../kit/roles.ts'
import { useDrawnFromTop } from '../../kit/web/drawn.ts'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { Transaction } from '../contract.ts'
import { HoldLine } from './Holds.tsx'
import { PaperLink, SignedAmount, usePaymentParts, WhatFor } from './TransactionParts.tsx'
import { TransactionBadge } from './TransactionBadge.tsx'
import { typeWord } from './transactionWords.ts'

/** Of a window, about. */
const linesAtATime = 8

/** On a phone: what and how much on the first line, when and what for on the second. */
export const TransactionLines = ({ transactions, role }: { transactions: readonly Transaction[]; role: Role }) => {
  const drawn = useDrawnFromTop(transactions.length, linesAtATime)
  return (
    <ul aria-label="Transactions" className="divide-y">
      {transactions.slice(0, drawn).map(transaction => (
        <li key={transaction.id} className="px-4 py-2.5">
          <TwoLines of={transaction} role={role} />
        </li>
      ))}
    </ul>
  )
}

const TwoLines = ({ of: transaction, role }: { of: Transaction; role: Role }) => {
  const { button, parts } = usePaymentParts(transaction)
  return (
    <>
      <p className="flex items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{typeWord(transaction, role)}</span>
          <TransactionBadge status={transaction.status} />
        </span>
        <SignedAmount of={transaction} />
      </p>
      <div className="flex items-center gap-3 text-xs text-muted-foreground">
        {/* The link itself ends where its text is cut off: beyond it, it would lie below the buttons. */}
        <p
          className={clsx(
            'min-w-0 flex-1 wrap-anywhere',
            transaction.campaign && 'flex flex-wrap [&>a]:max-w-full [&>a]:flex-1 [&>a]:basis-32 [&>a]:truncate',
          )}
        >
          <span className="shrink-0 whitespace-pre">
            <DateTime at={transaction.createdAt} />
            {' · '}
          </span>
          <WhatFor of={transaction} role={role} />
        </p>
        {button}
        <PaperLink of={transaction} />
      </div>
      {parts}
      <HoldLine of={transaction.hold} />
      {transaction.failureReason !== null && <p className="text-xs text-destructive">{transaction.failureReason}</p>}
    </>
  )
}
