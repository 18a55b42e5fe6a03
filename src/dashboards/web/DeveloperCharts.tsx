import { useQuery } from '@tanstack/react-query'
import { ChartColumn } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { oneDecimal } from '../../kit/words.ts'
import { hoursBetween } from '../../kit/clock.ts'
import { formatCents, formatCentsShort } from '../../kit/money.ts'
import { useNow } from '../../kit/web/now.ts'
import { paths } from '../../kit/paths.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { EmptyState } from '../../kit/web/ui/States.tsx'
import { Progress } from '../../kit/web/ui/Values.tsx'
import type { DeveloperAnalytics } from '../contract.ts'
import { developerAnalyticsQuery } from './calls.ts'
import { formatCount } from './captions.ts'
import { MonthBars } from './charts/MonthBars.tsx'

/** Spend, seats, check-ins, and how fast campaigns fill. */
export const DeveloperCharts = ({ loading }: { loading: ReactNode }) => (
  <Query
    of={useQuery(developerAnalyticsQuery)}
    loading={loading}
    errorTitle="Failed to load analytics data"
    empty={<NoData />}
    isEmpty={({ months, checkIns, filling }) =>
      checkIns === null && filling.length === 0 && months.every(month => month.spentCents === 0)
    }
  >
    {({ months, checkIns, filling }) => (
      <div className="grid gap-4 lg:grid-cols-2">
        <SpendByMonth months={months} />
        <SeatsByMonth months={months} />
        <CheckInRate of={checkIns} />
        <DaysToFill of={filling} />
      </div>
    )}
  </Query>
)

const NoData = () => (
  <EmptyState
    title="No data yet"
    hint="Spend, seats, check-ins and days to fill appear here once you pay for your first campaign."
    icon={<ChartColumn aria-hidden />}
  />
)

type Months = DeveloperAnalytics['months']

const dollarCents = 100

const SpendByMonth = ({ months }: { months: Months }) => (
  <Card title="Spend per month" description="Payments including fees, minus refunds">
    {months.some(month => month.spentCents !== 0) ? (
      <MonthBars
        label="Spend per month"
        valueLabel="Spent"
        months={months.map(({ month, spentCents }) => ({ month, value: spentCents }))}
        format={formatCents}
        formatAxis={formatCentsShort}
        minStep={dollarCents}
      />
    ) : (
      <Empty>No payments in the last six months.</Empty>
    )}
  </Card>
)

const SeatsByMonth = ({ months }: { months: Months }) => (
  <Card title="Seats filled per month" description="Testers who joined your campaigns">
    {months.some(month => month.seatsFilled > 0) ? (
      <MonthBars
        label="Seats filled per month"
        valueLabel="Seats"
        months={months.map(({ month, seatsFilled }) => ({ month, value: seatsFilled }))}
        format={formatCount}
        formatAxis={formatCount}
        minStep={1}
      />
    ) : (
      <Empty>No testers joined in the last six months.</Empty>
    )}
  </Card>
)

const CheckInRate = ({ of: rate }: { of: DeveloperAnalytics['checkIns'] }) => (
  <Card title="Check-in rate" description="Share of test days with a check-in">
    {rate ? (
      <div className="grid gap-3">
        <p className="text-3xl font-semibold tracking-tight tabular-nums">{rate.percent}%</p>
        <Progress percent={rate.percent} label="Check-in rate" />
        <p className="text-muted-foreground tabular-nums">
          {formatCount(rate.done)} of {formatCount(rate.expected)} days, across all campaigns with daily check-ins
        </p>
      </div>
    ) : (
      <Empty>Counting starts after a tester’s first full day.</Empty>
    )}
  </Card>
)

const DaysToFill = ({ of: filling }: { of: DeveloperAnalytics['filling'] }) => {
  const now = useNow()
  const rows = filling.map(row => ({ ...row, days: hoursBetween(row.startDate, row.filledAt ?? now) / 24 }))
  const longest = Math.max(...rows.map(row => (row.filledAt ? row.days : 0)), 1)
  return (
    <Card title="Days to fill" description="Time from start until all seats were taken, for your latest campaigns">
      {rows.length === 0 ? (
        <Empty>Your campaigns appear here once they go live.</Empty>
      ) : (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-3">
          {rows.map(({ campaign, filledAt, days }) => (
            <li key={campaign.id} className="grid grid-cols-[minmax(0,1fr)] gap-1">
              <span className="flex items-baseline justify-between gap-4">
                <Link to={paths.campaign(campaign.id)} className="truncate underline-offset-4 hover:underline">
                  {campaign.title}
                </Link>
                <span className="shrink-0 text-muted-foreground tabular-nums">
                  {filledAt ? daysText(days) : 'Not full'}
                </span>
              </span>
              {filledAt && (
                <span aria-hidden className="h-1.5 rounded-full bg-secondary">
                  <span
                    className="block h-full min-w-1.5 rounded-full bg-primary"
                    style={{ width: `${(days / longest) * 100}%` }}
                  />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const daysText = (days: number) => {
  if (days * 24 < 1) return 'less than an hour'
  const shown = oneDecimal(days)
  return `${shown} ${shown === '1' ? 'day' : 'days'}`
}

const Empty = ({ children }: { children: ReactNode }) => (
  <p className="grid min-h-24 place-items-center text-center text-muted-foreground">{children}</p>
)
