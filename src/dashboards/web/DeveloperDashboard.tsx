import { useQuery } from '@tanstack/react-query'
import { ChartColumn, CircleDollarSign, FolderOpen, Plus, Rocket, Users, Wallet } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { counted } from '../../kit/words.ts'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { EmptyState } from '../../kit/web/ui/States.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { CampaignBadge } from '../../campaigns/web/face.tsx'
import type { DeveloperFigures } from '../contract.ts'
import { AnalyticsSection } from './AnalyticsSection.tsx'
import { DashboardSkeleton, isFirstLoad } from './DashboardSkeleton.tsx'
import { type Figure, FigureCards, FigureCardsSkeleton, Lines } from './FigureCards.tsx'
import { DeveloperOnboarding } from './Onboarding.tsx'
import { isIdle, NeedsYou, useNeeds } from './NeedsYou.tsx'
import { type QuickAction, QuickActions } from './QuickActions.tsx'
import { RecentCard, RecentSkeleton, recentRow } from './Recent.tsx'
import { UnlessAllFailed, failedToLoad } from './UnlessAllFailed.tsx'
import { developerFiguresQuery, recentCampaignsQuery } from './calls.ts'
import {
  centsFromLastMonth,
  countedThisMonth,
  countFromLastMonth,
  formatCount,
  seatsFromLastMonth,
} from './captions.ts'

const actions: QuickAction[] = [
  { label: 'Create campaign', hint: 'Describe what to test and set the pay', to: paths.campaignCreate, icon: Plus },
  { label: 'View analytics', hint: 'Spend, seats and check-ins', to: paths.ownAnalytics, icon: ChartColumn },
  { label: 'Manage payments', hint: 'Your payments and refunds', to: paths.payments, icon: Wallet },
]

const quickActions = <QuickActions title="Quick actions" actions={actions} />

export const DeveloperDashboard = () => {
  const figures = useQuery(developerFiguresQuery)
  const recent = useQuery(recentCampaignsQuery)
  const needs = useNeeds()
  if (isFirstLoad(figures) || isFirstLoad(needs)) return <DashboardSkeleton />
  const firstSteps = figures.data && <DeveloperOnboarding figures={figures.data} campaigns={recent.data ?? []} />
  return (
    <UnlessAllFailed queries={[figures, recent, needs]} beside={quickActions}>
      {isIdle(needs) && firstSteps}
      <NeedsYou of={needs} />
      {!isIdle(needs) && firstSteps}
      <Query of={figures} loading={<FigureCardsSkeleton />} errorTitle={failedToLoad}>
        {loaded => <FigureCards figures={cardsOf(loaded)} />}
      </Query>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <RecentCard title="Recent Campaigns" allTo={paths.campaigns}>
          <Query
            of={recent}
            loading={<RecentSkeleton />}
            errorTitle="Failed to load recent campaigns"
            empty={<NoCampaigns />}
          >
            {campaigns => <RecentCampaigns campaigns={campaigns} />}
          </Query>
        </RecentCard>
        {quickActions}
      </div>
      <AnalyticsSection settled={!recent.isPending} />
    </UnlessAllFailed>
  )
}

const cardsOf = (figures: DeveloperFigures): Figure[] => {
  const { totalCampaigns, activeCampaigns, totalSpentCents, totalTesters, seatsTaken, thisMonth } = figures
  return [
    {
      label: 'Total Campaigns',
      value: formatCount(totalCampaigns),
      caption: countFromLastMonth(thisMonth.campaigns),
      icon: FolderOpen,
      to: paths.campaigns,
    },
    {
      label: 'Active Campaigns',
      value: formatCount(activeCampaigns),
      caption: countedThisMonth(thisMonth.started, 'started'),
      icon: Rocket,
      to: `${paths.campaigns}?status=LIVE`,
    },
    {
      label: 'Total Spent',
      value: <Money cents={totalSpentCents} />,
      caption: centsFromLastMonth(thisMonth.spentCents),
      icon: CircleDollarSign,
      to: paths.payments,
    },
    {
      label: 'Total Testers',
      value: formatCount(totalTesters),
      caption: <Lines lines={[`People, in ${counted(seatsTaken, 'seat')}`, seatsFromLastMonth(thisMonth.testers)]} />,
      icon: Users,
      to: paths.ownAnalytics,
    },
  ]
}

const RecentCampaigns = ({ campaigns }: { campaigns: Campaign[] }) => (
  <ul className="divide-y">
    {campaigns.map(({ id, title, status, testersRequired, closedSeats, _count }) => (
      <li key={id}>
        <Link to={paths.campaign(id)} className={recentRow}>
          <span className="min-w-0">
            <span className="block truncate font-medium">{title}</span>
            <span className="block text-xs text-muted-foreground tabular-nums">
              {_count.campaignTesters}/{testersRequired - closedSeats} testers
            </span>
          </span>
          <CampaignBadge status={status} />
        </Link>
      </li>
    ))}
  </ul>
)

const NoCampaigns = () => (
  <div className="p-5">
    <EmptyState
      title="No campaigns yet"
      hint="Describe what you want tested. Testers can join once your campaign is approved and live."
      icon={<Rocket aria-hidden />}
      action={
        <ButtonLink to={paths.campaignCreate}>
          <Plus aria-hidden /> Create Campaign
        </ButtonLink>
      }
    />
  </div>
)
