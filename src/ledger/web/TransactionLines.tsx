import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import type { Role } from '../../kit/roles.ts'
import { useDrawnFromTop } from '../../kit/web/drawn.ts'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { Transaction } from '../contract.ts'
import { HoldLine } from './Holds.tsx'
import { moreWords, PaperLink, SignedAmount, usePaymentParts } from './TransactionParts.tsx'
import { TransactionBadge } from './TransactionBadge.tsx'
import { typeWord } from './transactionWords.ts'

/** About as many as fit in a window. */
const linesAtATime = 8

/** On a narrow screen: what and how much on the first line, what for on the second, and when on the third. */
export const TransactionLines = ({ transactions, role }: { transactions: readonly Transaction[]; role: Role }) => {
  const drawn = useDrawnFromTop(transactions.length, linesAtATime)
  return (
    <ul aria-label="Transactions" className="divide-y">
      {transactions.slice(0, drawn).map(transaction => (
        <li key={transaction.id} className="px-5 py-2.5">
          <Line of={transaction} role={role} />
        </li>
      ))}
    </ul>
  )
}

const Line = ({ of: transaction, role }: { of: Transaction; role: Role }) => {
  const { button, parts } = usePaymentParts(transaction)
  const { campaign } = transaction
  const more = moreWords(transaction, role)
  return (
    <>
      <p className="flex items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{typeWord(transaction, role)}</span>
          <TransactionBadge status={transaction.status} />
        </span>
        <SignedAmount of={transaction} />
      </p>
      <div className="text-xs text-muted-foreground">
        {/* Only as wide as its text, so that a tap beside it does not trigger it. */}
        {campaign ? (
          <Link
            to={paths.campaign(campaign.id)}
            className="block w-fit max-w-full truncate leading-6 text-link underline decoration-1 underline-offset-4"
          >
            {campaign.title}
          </Link>
        ) : (
          <p className="wrap-anywhere">{more}</p>
        )}
        <div className="flex items-baseline gap-3">
          <p className="min-w-0 flex-1">
            <DateTime at={transaction.createdAt} />
            {campaign && more && ` · ${more}`}
          </p>
          {button}
          <PaperLink of={transaction} />
        </div>
      </div>
      {parts}
      <HoldLine of={transaction.hold} />
      {transaction.failureReason !== null && <p className="text-xs text-destructive">{transaction.failureReason}</p>}
    </>
  )
}
