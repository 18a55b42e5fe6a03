import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Role } from '../../kit/roles.ts'
import { grouped } from '../../kit/words.ts'
import { useUser } from '../../kit/web/user.ts'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { dateIn, lineWord, monthWord } from '../paperWords.ts'
import type { Statement, StatementLine } from '../papersContract.ts'
import { paperApi, statementLinePages, statementQuery } from './paperCalls.ts'
import { PeriodPage } from './PeriodPage.tsx'
import { statementOf } from './heads.ts'
import { Moved } from './Sums.tsx'
import { paperOf } from './TransactionParts.tsx'
import { TransactionBadge } from './TransactionBadge.tsx'

/** The statement of one month. */
export const StatementPage = () => {
  const { id: month = '' } = useParams()
  return (
    <PeriodPage
      of={useQuery(statementQuery(month))}
      title={/^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? `${statementOf}${monthWord(month)}` : 'Statement'}
      paper="statement"
      subject="month"
      pdf={() => paperApi.statementPdf({ query: { month } })}
      csv={() => paperApi.transactionsCsv({ query: daysOf(month) })}
      renderSums={({ onTheWayBackCents }) =>
        onTheWayBackCents > 0 ? [{ label: 'Refunds still on the way', value: <Money cents={onTheWayBackCents} /> }] : []
      }
      heading="Transactions"
    >
      {loaded => <Lines of={loaded} />}
    </PeriodPage>
  )
}

/** The first and the last day of the month. */
const daysOf = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) }
}

const Lines = ({ of: { month, timeZone } }: { of: Statement }) => {
  const { role } = useUser()
  const lines = useInfiniteQuery(statementLinePages(month))
  return (
    <InfiniteQuery
      of={lines}
      loading={<SkeletonList count={4} className="h-10" />}
      errorTitle="Failed to load transactions"
      empty={<p className="text-muted-foreground">No transactions in this month.</p>}
    >
      {loaded => (
        <>
          <Table caption="Transactions" columns={columnsFor(role, timeZone)} rows={loaded} keyOf={({ id }) => id} />
          {lines.hasNextPage && (
            <p className="hidden pt-3 print:block">
              Showing the first {grouped(loaded.length)}. The PDF of this statement contains all of them.
            </p>
          )}
        </>
      )}
    </InfiniteQuery>
  )
}

const columnsFor = (role: Role, timeZone: string): Column<StatementLine>[] => [
  { head: 'Description', primary: true, cell: line => <WhatFor of={line} role={role} /> },
  {
    head: 'Date',
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className="whitespace-nowrap">
        {dateIn(timeZone, createdAt)}
      </time>
    ),
  },
  { head: 'Status', cell: ({ status }) => <TransactionBadge status={status} /> },
  { head: 'Amount', align: 'right', cell: line => <Moved cents={line.movedCents} className="font-medium" /> },
  ...(role === 'TESTER' ? [balanceColumn] : []),
]

const balanceColumn: Column<StatementLine> = {
  head: 'Balance',
  align: 'right',
  cell: ({ balanceCents }) => balanceCents !== null && <Money cents={balanceCents} />,
}

const WhatFor = ({ of: line, role }: { of: StatementLine; role: Role }) => {
  const word = lineWord(line, role)
  return (
    <>
      {word}
      {line.campaign && `: ${line.campaign.title}`}
      {line.description !== word && <span className="block font-normal text-muted-foreground">{line.description}</span>}
      {line.movedCents === 0 && (
        <span className="block font-normal text-muted-foreground">
          <Money cents={line.amountCents} />, not charged
        </span>
      )}
      {line.failureReason !== null && <span className="block font-normal text-destructive">{line.failureReason}</span>}
      {line.number !== null && <Document of={line} number={line.number} />}
    </>
  )
}

/** The receipt, credit note or payout advice of a line. */
const Document = ({ of: line, number }: { of: StatementLine; number: string }) => {
  const paper = paperOf(line)
  return (
    paper && (
      <Link to={paper.to} className="block text-xs font-normal text-muted-foreground underline underline-offset-4">
        <span className="sr-only">View {paper.name} </span>
        {number}
      </Link>
    )
  )
}
