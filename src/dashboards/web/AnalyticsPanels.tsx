import { ChartColumn, Trophy } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatCentsShort } from '../../kit/money.ts'
import { paths } from '../../kit/paths.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { EmptyState } from '../../kit/web/ui/States.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { PlatformAnalytics } from '../contract.ts'
import { formatCount } from './captions.ts'
import { MonthBars } from './charts/MonthBars.tsx'
import { inPeriodWords, periodLabels } from './periods.ts'

type Props = { of: PlatformAnalytics }

export const AnalyticsPanels = ({ of: shown }: Props) => (
  <div className="mt-6 grid gap-6">
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <RevenueTrend of={shown} />
      <TopCampaigns of={shown} />
    </div>
    <PeriodFigures of={shown} />
  </div>
)

const dollarCents = 100

const RevenueTrend = ({ of: { monthlyRevenue } }: Props) => (
  <Card title="Monthly Revenue Trend" description={trendDescription(monthlyRevenue.length)}>
    {monthlyRevenue.length === 0 ? (
      <EmptyState title="Monthly trend data not available yet" icon={<ChartColumn aria-hidden />} />
    ) : (
      <MonthBars
        label="Monthly Revenue Trend"
        valueLabel="Revenue"
        months={monthlyRevenue.map(({ month, revenueCents, feeCents }) => ({
          month,
          value: revenueCents,
          more: [{ label: 'Platform fees', text: formatCentsShort(feeCents) }],
        }))}
        format={formatCentsShort}
        formatAxis={formatCentsShort}
        minStep={dollarCents}
      />
    )}
  </Card>
)

const trendDescription = (months: number) => {
  if (months === 0) return 'Last 6 months'
  return `${months === 1 ? 'This month' : `Last ${months} months`}: paid in by developers, less refunds`
}

const TopCampaigns = ({ of: { period, topCampaigns } }: Props) => (
  <Card
    title="Top Performing Campaigns"
    description={`Ranked by amount paid in (pay and fee), ${inPeriodWords[period]}`}
    flush
  >
    {topCampaigns.length === 0 ? (
      <div className="p-5">
        <EmptyState
          title={period === 'all' ? 'No paid campaigns yet' : `No campaign was paid for ${inPeriodWords[period]}`}
          icon={<Trophy aria-hidden />}
        />
      </div>
    ) : (
      <ol className="divide-y">
        {topCampaigns.map(({ id, title, testers, testersRequired, closedSeats, revenueCents }, index) => (
          <li key={id}>
            <Link
              to={paths.campaign(id)}
              className="flex items-center gap-3 px-5 py-3 transition-colors hover:bg-muted/60 focus-visible:-outline-offset-2"
            >
              <span className="grid size-7 shrink-0 place-items-center rounded-full bg-secondary text-xs font-semibold tabular-nums">
                {index + 1}
              </span>
              <span className="min-w-0 flex-1">
                <span className="line-clamp-2 font-medium wrap-anywhere">{title}</span>
                <span className="block text-xs text-muted-foreground tabular-nums">
                  {testers}/{testersRequired - closedSeats} testers
                </span>
              </span>
              <Money cents={revenueCents} className="font-medium" />
            </Link>
          </li>
        ))}
      </ol>
    )}
  </Card>
)

const PeriodFigures = ({ of: { period, userGrowth, averageCampaignValueCents, platformFeeCents } }: Props) => (
  <div className="grid gap-3 sm:grid-cols-3">
    <PeriodFigure
      title="User Growth"
      value={`+${formatCount(userGrowth.newUsers)}`}
      hint={
        userGrowth.percent === null
          ? `New users ${inPeriodWords[period]}`
          : `${formatCount(userGrowth.percent)}% increase since the start of the period`
      }
      period={periodLabels[period]}
    />
    <PeriodFigure
      title="Average Campaign Value"
      value={averageCampaignValueCents === null ? '–' : <Money cents={averageCampaignValueCents} />}
      hint={averageCampaignValueCents === null ? 'No paid campaigns' : 'Average payment per campaign, before refunds'}
      period={periodLabels[period]}
    />
    <PeriodFigure
      title="Platform Fee Revenue"
      value={<Money cents={platformFeeCents} />}
      hint="Fees earned as tests are verified"
      period={periodLabels[period]}
    />
  </div>
)

const PeriodFigure = ({
  title,
  value,
  hint,
  period,
}: {
  title: string
  value: ReactNode
  hint: string
  period: string
}) => (
  <Card title={title} description={period}>
    <p className="text-2xl font-semibold tracking-tight tabular-nums">{value}</p>
    <p className="mt-1 text-xs text-muted-foreground">{hint}</p>
  </Card>
)
