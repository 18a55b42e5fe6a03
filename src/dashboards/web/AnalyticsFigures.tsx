import { CircleDollarSign, FolderOpen, Target, TrendingDown, TrendingUp, Users } from 'lucide-react'
import { clsx } from 'clsx'
import { formatCents } from '../../kit/money.ts'
import { paths } from '../../kit/paths.ts'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Period, PlatformAnalytics } from '../contract.ts'
import { type Figure, FigureCards } from './FigureCards.tsx'
import { formatCount, signed } from './captions.ts'
import { inPeriodWords, linesOfRevenue } from './periods.ts'

export const AnalyticsFigures = ({ of: shown }: { of: PlatformAnalytics }) => (
  <>
    <FigureCards figures={cardsOf(shown)} />
    {Object.values(shown.growth).some(growth => growth !== null) && (
      <p className="mt-2 text-xs text-muted-foreground">
        Months are in UTC. Growth compares this month so far with the same days last month.
      </p>
    )}
  </>
)

const cardsOf = ({ period, totals, inPeriod, growth, userGrowth }: PlatformAnalytics): Figure[] => [
  {
    label: 'Total Revenue',
    value: <Money cents={totals.revenueCents} />,
    caption: (
      <Caption period={period} part={formatCents(inPeriod.revenueCents)} growth={growth.revenue} unit="% revenue" />
    ),
    icon: CircleDollarSign,
    to: linesOfRevenue,
  },
  {
    label: 'Total Users',
    value: formatCount(totals.users),
    caption: (
      <Caption
        period={period}
        part={`${formatCount(userGrowth.newUsers)} new`}
        growth={growth.users}
        unit="% new users"
      />
    ),
    icon: Users,
    to: paths.users,
  },
  {
    label: 'Total Campaigns',
    value: formatCount(totals.campaigns),
    caption: (
      <Caption
        period={period}
        part={`${formatCount(inPeriod.campaigns)} created`}
        growth={growth.campaigns}
        unit="% new campaigns"
      />
    ),
    icon: FolderOpen,
    to: paths.campaigns,
  },
  {
    label: 'Conversion Rate',
    value: `${totals.conversion.percent}%`,
    caption: (
      <Caption
        period={period}
        part={formatConversion(period === 'all' ? totals.conversion : inPeriod.conversion)}
        growth={growth.conversionPoints}
        unit=" points"
        always
      />
    ),
    icon: Target,
  },
]

const formatConversion = ({ joined, verified }: PlatformAnalytics['totals']['conversion']) =>
  `${formatCount(verified)} of ${formatCount(joined)} tests verified`

/** `unit` names what grew: new users, say, while the card shows the total. */
type CaptionProps = { period: Period; part: string; growth: number | null; unit: string; always?: boolean }

/** The figure within the period, and its growth when there is a month to compare with. */
const Caption = ({ period, part, growth, unit, always = false }: CaptionProps) => (
  <span className="grid gap-0.5">
    {growth !== null && <Growth of={growth} unit={unit} />}
    {(always || period !== 'all') && <span>{`${part} ${inPeriodWords[period]}`}</span>}
  </span>
)

const Growth = ({ of: growth, unit }: { of: number; unit: string }) => {
  if (growth === 0) return <span>No change from last month</span>
  const Icon = growth > 0 ? TrendingUp : TrendingDown
  return (
    <span
      className={clsx(
        '[&_svg]:mr-1 [&_svg]:inline [&_svg]:size-3.5 [&_svg]:align-[-2px]',
        growth > 0 ? 'text-green-tone-foreground' : 'text-red-tone-foreground',
      )}
    >
      <Icon aria-hidden />
      {signed(growth, unit)} from last month
    </span>
  )
}
