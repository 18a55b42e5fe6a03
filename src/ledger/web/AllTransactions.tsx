import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useUser } from '../../kit/web/user.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { foundOf } from '../../kit/web/ui/foundWords.ts'
import { NoRows } from '../../kit/web/ui/NoRows.tsx'
import { Pager } from '../../kit/web/ui/Pager.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import type { Transaction } from '../contract.ts'
import { TransactionTable } from './TransactionTable.tsx'
import { transactionsQuery } from './calls.ts'
import { type StatementFilter, linesInWords, useStatementFilter } from './statementFilter.ts'

/** The transactions that the URL asks for, 20 per page; `empty` is shown if there are none at all. */
export const AllTransactions = ({ empty }: { empty: ReactNode }) => {
  const { filter, filtered, turn, clear } = useStatementFilter()
  const transactions = useQuery(transactionsQuery(filter))
  return (
    <>
      {filtered && <Showing filter={filter} lines={transactions.data?.data} onClear={clear} />}
      <Query
        of={transactions}
        loading={
          <div className="p-5">
            <SkeletonList count={6} className="h-10" />
          </div>
        }
        errorTitle="Failed to load transactions"
        found={{ words: foundOf('transaction'), by: filter }}
        empty={
          <div className="p-5">
            <NoRows
              page={filter.at?.page ?? 1}
              onFirst={() => turn({ page: 1 })}
              filtered={filtered}
              title="No transactions match this filter"
              onClear={clear}
              clearLabel="Show all"
              none={empty}
            />
          </div>
        }
      >
        {loaded => (
          <>
            <TransactionTable transactions={loaded.data} />
            {(loaded.page > 1 || loaded.nextCursor !== null) && (
              <div className="border-t px-5 py-3">
                <Pager of={loaded} onTurn={turn} />
              </div>
            )}
          </>
        )}
      </Query>
    </>
  )
}

/** What the filter shows, with a button that clears it. */
const Showing = ({
  filter,
  lines,
  onClear,
}: {
  filter: StatementFilter
  lines: readonly Transaction[] | undefined
  onClear: () => void
}) => {
  const words = linesInWords(filter, useUser().role)
  const campaign = lines?.find(line => line.campaign?.id === filter.campaign)?.campaign?.title
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b bg-muted/50 px-5 py-2">
      <p>
        Showing <span className="font-medium">{words}</span>
        {filter.campaign !== null && (
          <>
            {' '}
            of <span className="font-medium wrap-anywhere">{campaign ?? 'one campaign'}</span>
          </>
        )}
      </p>
      <Button variant="link" onClick={onClear}>
        Show all
      </Button>
    </div>
  )
}
