import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { leftOutNote } from '../paperWords.ts'
import type { YearSummary } from '../papersContract.ts'
import { paperApi, yearSummaryQuery } from './paperCalls.ts'
import { PeriodPage } from './PeriodPage.tsx'
import { summaryOf } from './heads.ts'
import { Moved, netOf } from './Sums.tsx'

/** What a tax return of one year needs. */
export const YearPage = () => {
  const { id: year = '' } = useParams()
  return (
    <PeriodPage
      of={useQuery(yearSummaryQuery(year))}
      title={/^\d{4}$/.test(year) ? `${summaryOf}${year}` : 'Summary'}
      paper="summary"
      subject="year"
      pdf={() => paperApi.yearSummaryPdf({ query: { year } })}
      csv={() => paperApi.transactionsCsv({ query: { year } })}
      renderSums={({ balance, paidOutCents }) =>
        balance ? [{ label: `Paid out in ${year}`, value: <Money cents={paidOutCents} /> }] : []
      }
      renderNotes={({ campaignsLeftOut }) => ({
        first: campaignsLeftOut > 0 && <p>{leftOutNote(campaignsLeftOut)}</p>,
        last: <p>This summary lists what was paid through Fieldtest; it is not tax advice.</p>,
      })}
      heading="By campaign"
    >
      {({ payments, paidFor, earnedFrom }) =>
        payments ? (
          <ByCampaign columns={paidColumns} rows={paidFor} none="No payments in this year." />
        ) : (
          <ByCampaign columns={earnedColumns} rows={earnedFrom} none="No earnings in this year." />
        )
      }
    </PeriodPage>
  )
}

type OfCampaign = { campaign: { id: string; title: string } }

const ByCampaign = <Row extends OfCampaign>({
  columns,
  rows,
  none,
}: {
  columns: Column<Row>[]
  rows: Row[]
  none: string
}) =>
  rows.length === 0 ? (
    <p className="text-muted-foreground">{none}</p>
  ) : (
    <Table caption="By campaign" columns={columns} rows={rows} keyOf={({ campaign }) => campaign.id} />
  )

const title: Column<OfCampaign> = {
  head: 'Campaign',
  primary: true,
  cell: ({ campaign }: OfCampaign) => campaign.title,
}

const paidColumns: Column<YearSummary['paidFor'][number]>[] = [
  title,
  { head: 'Testers’ pay', align: 'right', cell: row => <Money cents={row.testersPayCents} /> },
  { head: 'Fees', align: 'right', cell: row => <Money cents={row.feeCents} /> },
  { head: 'Refunds', align: 'right', cell: row => <Moved cents={-row.refundedPayCents - row.refundedFeeCents} /> },
  { head: 'Net', align: 'right', cell: row => <Money cents={netOf(row)} /> },
]

const earnedColumns: Column<YearSummary['earnedFrom'][number]>[] = [
  title,
  { head: 'Earned', align: 'right', cell: row => <Money cents={row.earnedCents} /> },
]
