import { useQuery } from '@tanstack/react-query'
import { CircleCheck, FlaskConical, Search, Timer, Wallet } from 'lucide-react'
import { Link } from 'react-router'
import { useMe } from '../../accounts/web/face.tsx'
import { type Cents, formatCents } from '../../kit/money.ts'
import { paths } from '../../kit/paths.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { EmptyState } from '../../kit/web/ui/States.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { CampaignTester } from '../../participations/contract.ts'
import { ParticipationBadge } from '../../participations/web/face.tsx'
import type { TesterFigures } from '../contract.ts'
import { DashboardSkeleton, isFirstLoad } from './DashboardSkeleton.tsx'
import { type Figure, FigureCards, FigureCardsSkeleton, Lines } from './FigureCards.tsx'
import { TesterOnboarding } from './Onboarding.tsx'
import { isIdle, NeedsYou, useNeeds } from './NeedsYou.tsx'
import { type QuickAction, QuickActions } from './QuickActions.tsx'
import { RecentCard, RecentSkeleton, recentRow } from './Recent.tsx'
import { UnlessAllFailed, failedToLoad } from './UnlessAllFailed.tsx'
import { recentTestsQuery, testerFiguresQuery } from './calls.ts'
import { centsFromLastMonth, countedThisMonth, countFromLastMonth, formatCount } from './captions.ts'
import { payOf, payWords } from './testPay.ts'

const actions: QuickAction[] = [
  { label: 'Browse Campaigns', hint: 'Find an app that fits your device', to: paths.campaigns, icon: Search },
  { label: 'View Balance', hint: 'See and withdraw your earnings', to: paths.balance, icon: Wallet },
  { label: 'My Tests', hint: 'Check in and submit your proof', to: paths.myTests, icon: FlaskConical },
]

const quickActions = <QuickActions title="Quick actions" actions={actions} />

export const TesterDashboard = () => {
  const figures = useQuery(testerFiguresQuery)
  const recent = useQuery(recentTestsQuery)
  const me = useMe()
  const needs = useNeeds()
  if (isFirstLoad(figures) || isFirstLoad(me) || isFirstLoad(needs)) return <DashboardSkeleton />
  const firstSteps = figures.data && <TesterOnboarding figures={figures.data} profile={me.data} />
  return (
    <UnlessAllFailed queries={[figures, recent, needs]} beside={quickActions}>
      {isIdle(needs) && firstSteps}
      <NeedsYou of={needs} />
      {!isIdle(needs) && firstSteps}
      <Query of={figures} loading={<FigureCardsSkeleton />} errorTitle={failedToLoad}>
        {loaded => <FigureCards figures={cardsOf(loaded)} />}
      </Query>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <RecentCard title="Recent Tests" allTo={paths.myTests}>
          <Query of={recent} loading={<RecentSkeleton />} errorTitle="Failed to load recent tests" empty={<NoTests />}>
            {tests => <RecentTests tests={tests} />}
          </Query>
        </RecentCard>
        {quickActions}
      </div>
    </UnlessAllFailed>
  )
}

/** The server counts no further than this. */
const countLimit = 100

/**
 * "$300.00 earned in total, +$20.00 from last month". The difference belongs to the earnings, because a withdrawal changes the
 * balance but not them.
 */
const earnedText = (earnedCents: Cents, cents: Cents) =>
  [`${formatCents(earnedCents)} earned in total`, centsFromLastMonth(cents)].filter(Boolean).join(', ')

const cardsOf = ({
  balanceCents,
  earnedCents,
  activeTests,
  completedTests,
  availableCampaigns,
  thisMonth,
}: TesterFigures): Figure[] => [
  {
    label: 'Total Earnings',
    value: <Money cents={balanceCents} />,
    caption: <Lines lines={['Your balance', earnedText(earnedCents, thisMonth.earnedCents)]} />,
    icon: Wallet,
    to: paths.balance,
  },
  {
    label: 'Active Tests',
    value: formatCount(activeTests),
    caption: countedThisMonth(thisMonth.joined, 'joined'),
    icon: Timer,
    to: `${paths.myTests}?status=ACTIVE`,
  },
  {
    label: 'Completed Tests',
    value: formatCount(completedTests),
    caption: countFromLastMonth(thisMonth.verified),
    icon: CircleCheck,
    to: `${paths.myTests}?status=VERIFIED`,
  },
  {
    label: 'Available',
    value: availableCampaigns >= countLimit ? `${countLimit}+` : formatCount(availableCampaigns),
    caption: availableCampaigns > 0 ? 'With a free seat or a place in line' : undefined,
    icon: Search,
    to: paths.campaigns,
  },
]

const RecentTests = ({ tests }: { tests: CampaignTester[] }) => (
  <ul className="divide-y">
    {tests.map(test => (
      <li key={test.id}>
        <Link to={paths.myTest(test.id)} className={recentRow}>
          <span className="grid min-w-0 gap-1">
            <span className="truncate font-medium">{test.campaign.title}</span>
            <ParticipationBadge of={test} />
          </span>
          <span className="shrink-0 text-right">
            <Money cents={payOf(test)} className="block font-medium" />
            <span className="block text-xs text-muted-foreground">{payWords(test)}</span>
          </span>
        </Link>
      </li>
    ))}
  </ul>
)

const NoTests = () => (
  <div className="p-5">
    <EmptyState
      title="No tests yet"
      hint="Join a campaign that fits your device, and your test appears here."
      icon={<FlaskConical aria-hidden />}
      action={<ButtonLink to={paths.campaigns}>Browse Campaigns</ButtonLink>}
    />
  </div>
)
