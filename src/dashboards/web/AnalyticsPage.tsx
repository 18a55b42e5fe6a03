import { useQuery } from '@tanstack/react-query'
import { Download, ListFilter } from 'lucide-react'
import { Suspense, lazy } from 'react'
import { toCsv } from '../../kit/csv.ts'
import { downloadCsv } from '../../kit/web/download.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { DropdownMenu, MenuChoice } from '../../kit/web/ui/DropdownMenu.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { RefreshButton } from '../../kit/web/ui/RefreshButton.tsx'
import { Spinner } from '../../kit/web/ui/Spinner.tsx'
import { periods } from '../terms.ts'
import { AnalyticsPanels } from './AnalyticsPanels.tsx'
import { AnalyticsFigures } from './AnalyticsFigures.tsx'
import { analyticsRows } from './analyticsCsv.ts'
import { analyticsQuery } from './calls.ts'
import { analyticsHead } from './heads.ts'
import { dashboardKeys } from './keys.ts'
import { periodLabels, useAnalyticsFilters } from './periods.ts'

const RevenueLines = lazy(async () => ({ default: (await import('./RevenueLines.tsx')).RevenueLines }))

export const AnalyticsPage = () => {
  const { filters, at, change, turn } = useAnalyticsFilters()
  const { period, lines } = filters
  const analytics = useQuery(analyticsQuery(period))
  const { data: shown, isPlaceholderData } = analytics
  return (
    <>
      <PageHeader
        {...analyticsHead}
        actions={
          <>
            <RefreshButton of={dashboardKeys.all} compact />
            <DropdownMenu
              trigger={
                <Button variant="outline">
                  <ListFilter aria-hidden /> <span className="max-sm:sr-only">Filter:</span> {periodLabels[period]}
                </Button>
              }
            >
              <MenuChoice
                value={period}
                onValue={chosen => change({ period: chosen })}
                options={periods.map(value => ({ value, label: periodLabels[value] }))}
              />
            </DropdownMenu>
            <Button
              variant="outline"
              disabled={!shown || isPlaceholderData}
              onClick={() => shown && downloadCsv(`fieldtest-analytics-${period}.csv`, toCsv(analyticsRows(shown)))}
            >
              <Download aria-hidden /> Export
            </Button>
          </>
        }
      />
      <Query
        of={analytics}
        loading={<LoadingAnalytics />}
        errorTitle="Error Loading Analytics"
        errorMessage="Failed to load analytics data"
      >
        {loaded => (
          <div
            aria-busy={isPlaceholderData}
            className={isPlaceholderData ? 'opacity-60 transition-opacity' : 'transition-opacity'}
          >
            <AnalyticsFigures of={loaded} />
            {lines === 'revenue' && (
              <Suspense>
                <RevenueLines of={loaded} at={at} onTurn={turn} onClose={() => change({ lines: null })} />
              </Suspense>
            )}
            <AnalyticsPanels of={loaded} />
          </div>
        )}
      </Query>
    </>
  )
}

const LoadingAnalytics = () => (
  <div role="status" className="grid min-h-[40dvh] content-center justify-items-center gap-3 text-muted-foreground">
    <Spinner label="" className="text-2xl" />
    <p>Loading analytics...</p>
  </div>
)
