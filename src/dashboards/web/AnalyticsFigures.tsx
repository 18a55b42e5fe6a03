import { CircleDollarSign, FolderOpen, Target, TrendingDown, TrendingUp, Users } from 'lucide-react'
import { clsx } from 'clsx'
import { formatCents } from '../../kit/money.ts'
import { paths } from '../../kit/paths.ts'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Period, PlatformAnalytics } from '../contract.ts'
import { type Figure, FigureCards } from './FigureCards.tsx'
import { formatCount, signed, signedCents, signedCount } from './captions.ts'
import { inPeriodWords, linesOfRevenue } from './periods.ts'

export const AnalyticsFigures = ({ of: shown }: { of: PlatformAnalytics }) => (
  <>
    <FigureCards figures={cardsOf(shown)} />
    {(Object.values(shown.growth).some(growth => growth !== null) || Object.values(shown.change).some(Boolean)) && (
      <p className="mt-2 text-xs text-muted-foreground">
        Months are in UTC. Growth compares this month so far with the same days last month.
      </p>
    )}
  </>
)

const cardsOf = ({ period, totals, inPeriod, growth, change, userGrowth }: PlatformAnalytics): Figure[] => [
  {
    label: 'Total Revenue',
    value: <Money cents={totals.revenueCents} />,
    caption: (
      <Caption
        period={period}
        counts="Paid in by developers, less refunds"
        part={formatCents(inPeriod.revenueCents)}
        growth={growth.revenue}
        unit="% revenue"
        change={change.revenueCents}
        changed={signedCents(change.revenueCents)}
      />
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
        change={change.users}
        changed={signedCount(change.users, 'new user')}
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
        change={change.campaigns}
        changed={signedCount(change.campaigns, 'new campaign')}
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
        unit={Math.abs(growth.conversionPoints ?? 0) === 1 ? ' point' : ' points'}
        always
      />
    ),
    icon: Target,
  },
]

const formatConversion = ({ ended, verified }: PlatformAnalytics['totals']['conversion']) =>
  `${formatCount(verified)} of ${formatCount(ended)} ended tests verified`

/** `unit` names what has grown: new users, for example, while the card shows all users. */
type CaptionProps = {
  period: Period
  /** What the figure counts, if its name could be misleading. */
  counts?: string
  part: string
  growth: number | null
  unit: string
  /** The absolute change, as a number and in words; shown if a percentage would say little. */
  change?: number | null
  changed?: string
  always?: boolean
}

/** What the figure counts, its growth or change since last month, and its part within the period. */
const Caption = ({ period, counts, part, growth, unit, change = null, changed = '', always = false }: CaptionProps) => (
  <span className="grid gap-0.5">
    {counts && <span>{counts}</span>}
    {growth === null ? <Growth of={change} words={changed} /> : <Growth of={growth} words={signed(growth, unit)} />}
    {(always || period !== 'all') && <span>{`${part} ${inPeriodWords[period]}`}</span>}
  </span>
)

const Growth = ({ of: growth, words }: { of: number | null; words: string }) => {
  if (growth === null) return <span>Not enough data to compare with last month</span>
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
      {words} from last month
    </span>
  )
}
