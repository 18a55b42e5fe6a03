import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { ShieldCheck } from 'lucide-react'
import { Suspense, lazy, useState } from 'react'
import { BanUserDialog } from '../../people/web/face.tsx'
import { useDrawnFromTop } from '../../kit/web/drawn.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { foundOf } from '../../kit/web/ui/foundWords.ts'
import { NoRows } from '../../kit/web/ui/NoRows.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Pager } from '../../kit/web/ui/Pager.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { EmptyState, Skeleton } from '../../kit/web/ui/States.tsx'
import type { FraudReport } from '../contract.ts'
import { FraudActions } from './FraudActions.tsx'
import { FraudCards } from './FraudCards.tsx'
import { FraudToolbar } from './FraudToolbar.tsx'
import { fraudHead } from './heads.ts'
import { LastScan } from './LastScan.tsx'
import { ReportCard } from './ReportCard.tsx'
import { reportsQuery } from './calls.ts'
import { noFilters, useFraudFilters } from './fraudFilters.ts'

const ReportDialog = lazy(async () => ({ default: (await import('./ReportDialog.tsx')).ReportDialog }))

export const FraudPage = () => {
  const { filters, at, filtered, change, turn, report, investigate } = useFraudFilters()
  const [banning, setBanning] = useState<FraudReport | null>(null)
  const reports = useQuery(reportsQuery(filters, at))
  return (
    <>
      <PageHeader
        {...fraudHead}
        actions={<FraudActions filters={filters} exportable={Boolean(reports.data?.total)} />}
      />
      <FraudCards />
      <FraudToolbar filters={filters} onChange={change} />
      <Query
        of={reports}
        loading={<LoadingReports />}
        errorTitle="Error Loading Fraud Reports"
        errorMessage="Failed to load fraud reports"
        found={{ words: foundOf('report'), by: [filters, at] }}
        empty={
          <NoRows
            page={at.page}
            onFirst={() => turn({ page: 1 })}
            filtered={filtered}
            title="No fraud reports found"
            hint="Try adjusting your search or filter criteria"
            onClear={() => change(noFilters)}
            none={noReports}
          />
        }
      >
        {loaded => (
          <section>
            <Reports
              of={loaded.data}
              busy={reports.isPlaceholderData}
              onInvestigate={({ id }) => investigate(id)}
              onBan={setBanning}
            />
            <Pager of={loaded} onTurn={turn} />
          </section>
        )}
      </Query>
      <LastScan />
      <Suspense>
        {report !== null && (
          <ReportDialog
            key={report}
            id={report}
            known={reports.data?.data.find(({ id }) => id === report)}
            onClose={() => investigate(null)}
            onOther={investigate}
            onBan={setBanning}
          />
        )}
      </Suspense>
      {banning && <Ban report={banning} onClose={() => setBanning(null)} />}
    </>
  )
}

type ReportsProps = {
  of: readonly FraudReport[]
  busy: boolean
  onInvestigate: (report: FraudReport) => void
  onBan: (report: FraudReport) => void
}

/** About as many as a window shows. */
const reportsAtATime = 4

const Reports = ({ of: reports, busy, onInvestigate, onBan }: ReportsProps) => {
  const drawn = useDrawnFromTop(reports.length, reportsAtATime)
  return (
    <ul
      aria-label="Reports"
      aria-busy={busy}
      className={clsx('mb-4 grid gap-3 transition-opacity', busy && 'opacity-60')}
    >
      {reports.slice(0, drawn).map(each => (
        <li key={each.id} className="min-w-0">
          <ReportCard report={each} onInvestigate={() => onInvestigate(each)} onBan={() => onBan(each)} />
        </li>
      ))}
    </ul>
  )
}

const Ban = ({ report: { user, isSample }, onClose }: { report: FraudReport; onClose: () => void }) => (
  <BanUserDialog user={user} verb="Ban" description={user.email} onClose={onClose}>
    {isSample && (
      <Alert tone="yellow">This report is a sample, but the account is real. Banning it takes effect.</Alert>
    )}
  </BanUserDialog>
)

const LoadingReports = () => (
  <div role="status" className="grid gap-3">
    <p className="text-muted-foreground">Loading fraud reports...</p>
    {Array.from({ length: 4 }, (_, index) => (
      <Skeleton key={index} className="h-44 md:h-36" />
    ))}
  </div>
)

const noReports = (
  <EmptyState
    title="No fraud reports found"
    hint="No fraud reports have been detected yet"
    icon={<ShieldCheck aria-hidden />}
  />
)
