import { useQuery } from '@tanstack/react-query'
import {
  ChartColumn,
  CircleDollarSign,
  ClipboardCheck,
  FolderOpen,
  Mails,
  ScrollText,
  ShieldAlert,
  SlidersHorizontal,
  UserCog,
  Users,
} from 'lucide-react'
import { paths } from '../../kit/paths.ts'
import { Query } from '../../kit/web/ui/Query.tsx'
import { counted } from '../../kit/words.ts'
import { Money } from '../../kit/web/ui/Values.tsx'
import type { PlatformStats } from '../contract.ts'
import { DashboardSkeleton, isFirstLoad } from './DashboardSkeleton.tsx'
import { type Figure, FigureCards, FigureCardsSkeleton, Lines } from './FigureCards.tsx'
import { NeedsYou, useNeeds } from './NeedsYou.tsx'
import { type QuickAction, QuickActions } from './QuickActions.tsx'
import { failedToLoad } from './UnlessAllFailed.tsx'
import { statsQuery } from './calls.ts'
import { centsFromLastMonth, countFromLastMonth, formatCount } from './captions.ts'

const platform: QuickAction[] = [
  {
    label: 'Review campaigns',
    hint: 'Approve pending campaigns, or reject them with a reason',
    to: paths.campaignsPending,
    icon: ClipboardCheck,
  },
  { label: 'Manage users', hint: 'Profiles, messages, suspensions', to: paths.users, icon: UserCog },
  { label: 'Analytics', hint: 'Revenue, growth and conversion', to: paths.analytics, icon: ChartColumn },
  { label: 'Waitlist', hint: 'Sign-ups from the landing page', to: paths.waitlist, icon: Mails },
]

const security: QuickAction[] = [
  { label: 'Fraud reports', hint: 'Scan findings, with evidence', to: paths.fraud, icon: ShieldAlert },
  { label: 'Audit logs', hint: 'Who did what, and when', to: paths.auditLog, icon: ScrollText },
  {
    label: 'System settings',
    hint: 'Fee, withdrawals, review and drop times',
    to: paths.systemSettings,
    icon: SlidersHorizontal,
  },
]

export const AdminDashboard = () => {
  const stats = useQuery(statsQuery)
  const needs = useNeeds()
  if (isFirstLoad(stats) || isFirstLoad(needs)) return <DashboardSkeleton />
  return (
    <>
      <NeedsYou of={needs} />
      <Query of={stats} loading={<FigureCardsSkeleton />} errorTitle={failedToLoad}>
        {loaded => <FigureCards figures={cardsOf(loaded)} />}
      </Query>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <QuickActions title="Platform Management" actions={platform} />
        <QuickActions title="Security and Monitoring" actions={security} />
      </div>
    </>
  )
}

/** Changed links are on a separate list, which the card's figure does not count (spec §2). */
const waitingCaption = (campaigns: number, links: number) => {
  if (links > 0)
    return campaigns > 0 ? `Plus ${counted(links, 'changed link')}` : `${counted(links, 'changed link')} to review`
  return campaigns > 0 ? 'Waiting for your review' : undefined
}

const cardsOf = (stats: PlatformStats): Figure[] => {
  const { totalUsers, totalCampaigns, totalRevenueCents, pendingApprovals, pendingLinks, thisMonth } = stats
  return [
    {
      label: 'Total Users',
      value: formatCount(totalUsers),
      caption: countFromLastMonth(thisMonth.users),
      icon: Users,
      to: paths.users,
    },
    {
      label: 'Total Campaigns',
      value: formatCount(totalCampaigns),
      caption: countFromLastMonth(thisMonth.campaigns),
      icon: FolderOpen,
      to: paths.campaigns,
    },
    {
      label: 'Platform Revenue',
      value: <Money cents={totalRevenueCents} />,
      caption: <Lines lines={['Paid in, less refunds', centsFromLastMonth(thisMonth.revenueCents)]} />,
      icon: CircleDollarSign,
      to: paths.analytics,
    },
    {
      label: 'Pending Approvals',
      value: formatCount(pendingApprovals),
      caption: waitingCaption(pendingApprovals, pendingLinks),
      icon: ClipboardCheck,
      to: pendingApprovals === 0 && pendingLinks > 0 ? paths.linksPending : paths.campaignsPending,
    },
  ]
}
