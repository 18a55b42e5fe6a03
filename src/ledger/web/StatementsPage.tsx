import { useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { useUser } from '../../kit/web/user.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { FieldFrame } from '../../kit/web/ui/FieldFrame.tsx'
import { Input } from '../../kit/web/ui/Input.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import { monthWord, zoneNote } from '../paperWords.ts'
import type { Papers } from '../papersContract.ts'
import { DownloadButton } from './DownloadButton.tsx'
import { statementsHead, summaryOf } from './heads.ts'
import { paperApi, papersQuery } from './paperCalls.ts'

/** Everything to keep for bookkeeping: by month, by year, and as a table. */
export const StatementsPage = () => {
  const { role } = useUser()
  const papers = useQuery(papersQuery)
  const home =
    role === 'TESTER' ? (
      <BackLink to={paths.balance}>Balance</BackLink>
    ) : (
      <BackLink to={paths.payments}>Payments</BackLink>
    )
  return (
    <>
      <PageHeader {...statementsHead} back={home} />
      <Query
        of={papers}
        loading={<SkeletonList />}
        errorTitle="Failed to load statements"
        isEmpty={({ months }) => months.length === 0}
        empty={
          <EmptyState
            icon={<ReceiptText aria-hidden />}
            title="No statements yet"
            hint="Your first statement appears after your first transaction."
          />
        }
      >
        {loaded => <Shelf of={loaded} />}
      </Query>
    </>
  )
}

const Shelf = ({ of: { months, years, timeZone } }: { of: Papers }) => (
  <div className="grid gap-5">
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Card title="By month" flush>
        <ul className="divide-y">
          {months.map(month => (
            <li key={month} className="flex items-center justify-between gap-3 px-5 py-2">
              <PeriodLink to={paths.statement(month)}>{monthWord(month)}</PeriodLink>
              <DownloadButton
                kind="PDF"
                size="sm"
                of={`of ${monthWord(month)}`}
                fileName={`statement-${month}.pdf`}
                ask={() => paperApi.statementPdf({ query: { month } })}
              />
            </li>
          ))}
        </ul>
      </Card>
      <div className="grid gap-5">
        <Card title="By year" description="For your tax return: totals and a breakdown by campaign." flush>
          <ul className="divide-y">
            {years.map(year => (
              <li key={year} className="flex items-center justify-between gap-3 px-5 py-2">
                <PeriodLink to={paths.yearSummary(year)}>
                  {summaryOf}
                  {year}
                </PeriodLink>
                <span className="flex gap-2">
                  <DownloadButton
                    kind="PDF"
                    size="sm"
                    of={`of ${year}`}
                    fileName={`summary-${year}.pdf`}
                    ask={() => paperApi.yearSummaryPdf({ query: { year } })}
                  />
                  <DownloadButton
                    kind="CSV"
                    size="sm"
                    of={`of ${year}`}
                    fileName={`transactions-${year}.csv`}
                    ask={() => paperApi.transactionsCsv({ query: { year } })}
                  />
                </span>
              </li>
            ))}
          </ul>
        </Card>
        <AsTable />
      </div>
    </div>
    <p className="text-xs text-muted-foreground">{zoneNote(timeZone)}</p>
  </div>
)

const PeriodLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="-my-2 flex-1 py-4 font-medium text-link underline-offset-4 hover:underline">
    {children}
  </Link>
)

/** Downloads all transactions, or those of certain days. */
const AsTable = () => {
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const query = { ...(from && { from }), ...(to && { to }) }
  const backwards = from !== '' && to !== '' && to < from
  return (
    <Card
      title="Transactions as CSV"
      description="One line per transaction, for a spreadsheet. Leave the dates empty to export all."
    >
      <div className="grid grid-cols-2 gap-3">
        <FieldFrame label="First day">
          {control => <Input type="date" value={from} onChange={event => setFrom(event.target.value)} {...control} />}
        </FieldFrame>
        <FieldFrame label="Last day" error={backwards ? 'The last day must not be before the first' : undefined}>
          {control => <Input type="date" value={to} onChange={event => setTo(event.target.value)} {...control} />}
        </FieldFrame>
      </div>
      <div className="mt-4">
        <DownloadButton
          kind="CSV"
          of="for these days"
          disabled={backwards}
          fileName={`transactions${from && `-from-${from}`}${to && `-to-${to}`}.csv`}
          ask={() => paperApi.transactionsCsv({ query })}
        />
      </div>
    </Card>
  )
}
