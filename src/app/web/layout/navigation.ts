/** What the side bar offers each role (spec §2, navigation chrome). It lists no screen that does not exist. */
import {
  BookOpenText,
  ChartColumn,
  ClipboardCheck,
  FlaskConical,
  FolderOpen,
  HeartPulse,
  LayoutDashboard,
  type LucideIcon,
  Mails,
  PlusCircle,
  ScrollText,
  Search,
  ShieldAlert,
  SlidersHorizontal,
  Users,
  Wallet,
} from 'lucide-react'
import type { Role } from '../../../kit/roles.ts'
import { paths } from '../../../kit/paths.ts'

export type NavigationItem = {
  label: string
  /** Label in a phone's bottom bar, where space is limited; null if another entry of the bar leads there. */
  short: string | null
  to: string
  /** Where a guard redirects this role from there. */
  endsAt?: string
  icon: LucideIcon
}

const dashboard: NavigationItem = { label: 'Dashboard', short: 'Dashboard', to: paths.dashboard, icon: LayoutDashboard }

export const navigation: Record<Role, NavigationItem[]> = {
  DEVELOPER: [
    dashboard,
    { label: 'My Campaigns', short: 'Campaigns', to: paths.campaigns, icon: FolderOpen },
    { label: 'Create Campaign', short: 'Create', to: paths.campaignCreate, icon: PlusCircle },
    {
      label: 'Analytics',
      short: 'Analytics',
      to: paths.analytics,
      endsAt: paths.ownAnalytics,
      icon: ChartColumn,
    },
    { label: 'Payments', short: 'Payments', to: paths.payments, icon: Wallet },
  ],
  TESTER: [
    dashboard,
    { label: 'Available Campaigns', short: 'Available', to: paths.campaigns, icon: Search },
    { label: 'My Tests', short: 'My Tests', to: paths.myTests, icon: FlaskConical },
    { label: 'Balance', short: 'Balance', to: paths.balance, icon: Wallet },
  ],
  ADMIN: [
    dashboard,
    { label: 'Campaigns', short: 'Campaigns', to: paths.campaigns, icon: FolderOpen },
    { label: 'Users', short: 'Users', to: paths.users, icon: Users },
    { label: 'Fraud Reports', short: 'Fraud', to: paths.fraud, icon: ShieldAlert },
    { label: 'Analytics', short: 'Analytics', to: paths.analytics, icon: ChartColumn },
    { label: 'Pending Approvals', short: null, to: paths.campaignsPending, icon: ClipboardCheck },
    { label: 'Waitlist', short: null, to: paths.waitlist, icon: Mails },
    { label: 'Audit Logs', short: null, to: paths.auditLog, icon: ScrollText },
    { label: 'Operations', short: null, to: paths.operations, icon: HeartPulse },
    { label: 'Ledger', short: null, to: paths.books, icon: BookOpenText },
    { label: 'System Settings', short: null, to: paths.systemSettings, icon: SlidersHorizontal },
  ],
}

type Address = { pathname: string; hash: string }

const bugScreens = paths.bug('')

/** Bugs belong to a test for testers, and to a campaign for everybody else. */
const homeOfBugs = (items: NavigationItem[]) =>
  items.some(({ to }) => to === paths.myTests) ? paths.myTests : paths.campaigns

/** Statements belong to payments or the balance. */
const isOfStatements = (to: string, pathname: string) =>
  (to === paths.payments || to === paths.balance) && `${pathname}/`.startsWith(`${paths.statements}/`)

/** The entry of the open screen: the longest matching prefix, so that a detail screen marks its list. */
export const currentItem = (items: NavigationItem[], { pathname, hash }: Address) =>
  items.find(({ endsAt }) => endsAt === pathname + hash) ??
  items
    .filter(
      ({ to }) =>
        pathname === to ||
        isOfStatements(to, pathname) ||
        (to === homeOfBugs(items) && pathname.startsWith(bugScreens)) ||
        (to !== paths.dashboard && pathname.startsWith(`${to}/`)),
    )
    .toSorted((a, b) => b.to.length - a.to.length)[0]
