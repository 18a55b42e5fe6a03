/**
 * What each screen requests first. It is requested when a link is about to be pressed, or while a navigation loads the screen's
 * code (ahead.ts); for a first screen by public/early.js, which gets the addresses from the build (firstRequests.ts).
 */
import { matchPath } from 'react-router'
import { meQuery } from '../../accounts/web/face.tsx'
import { campaignEventPages } from '../../activity/web/calls.ts'
import { auditFiltersIn } from '../../audit/web/auditFilters.ts'
import { auditLogQuery } from '../../audit/web/calls.ts'
import { booksFiltersIn } from '../../books/web/booksFilters.ts'
import { accountsQuery } from '../../books/web/calls.ts'
import { bugFilters, bugPages, bugQuery } from '../../bugs/web/calls.ts'
import { operationsQuery } from '../../operations/web/calls.ts'
import type { Campaign, CampaignStatus } from '../../campaigns/contract.ts'
import type { AccessMode } from '../../campaigns/terms.ts'
import { campaignFiltersIn } from '../../campaigns/web/campaignFilters.ts'
import {
  campaignPages,
  campaignQuery,
  newTermsQuery,
  pendingLinkPages,
  pendingPages,
} from '../../campaigns/web/calls.ts'
import {
  analyticsQuery,
  developerFiguresQuery,
  needsQuery,
  recentCampaignsQuery,
  recentTestsQuery,
  statsQuery,
  testerFiguresQuery,
} from '../../dashboards/web/calls.ts'
import { versionsQuery } from '../../changes/web/calls.ts'
import { escrowPages } from '../../campaigns/web/escrowCalls.ts'
import { continuityQuery } from '../../continuity/web/calls.ts'
import { analyticsFiltersIn } from '../../dashboards/web/periods.ts'
import { formQuery } from '../../feedback/web/calls.ts'
import { reportsQuery, statsQuery as fraudStatsQuery } from '../../fraud/web/calls.ts'
import { fraudFiltersIn } from '../../fraud/web/fraudFilters.ts'
import { paths } from '../../kit/paths.ts'
import { type Role, roles } from '../../kit/roles.ts'
import { queryClient } from '../../kit/web/query.ts'
import { session } from '../../kit/web/session.ts'
import type { Needs } from '../../kit/web/ui/Said.tsx'
import { filtersIn, pageIn } from '../../kit/web/urlFilters.ts'
import { waitlistQuery } from '../../landing/web/calls.ts'
import { waitlistFiltersIn } from '../../landing/web/waitlistFilters.ts'
import {
  approvalPages,
  balanceQuery,
  paymentQuery,
  refundQuery,
  summaryQuery,
  transactionsQuery,
} from '../../ledger/web/calls.ts'
import { disputePages, disputeQuery } from '../../ledger/web/disputeCalls.ts'
import { papersQuery, payoutAdviceQuery, statementQuery, yearSummaryQuery } from '../../ledger/web/paperCalls.ts'
import { statementFilterIn } from '../../ledger/web/statementFilter.ts'
import { stuckRefundPages } from '../../ledger/web/stuckRefundCalls.ts'
import { ndaQuery } from '../../nda/web/calls.ts'
import { choicesQuery, groupsQuery, notificationsQuery } from '../../notifications/web/calls.ts'
import { centerFiltersIn } from '../../notifications/web/centerFilters.ts'
import {
  appealPages,
  appealQuery,
  contestedPages,
  findFits,
  myTestPages,
  ownTestQuery,
  rejectionPages,
  rosterPages,
} from '../../participations/web/calls.ts'
import { countsQuery, securityQuery, userQuery, usersQuery } from '../../people/web/calls.ts'
import { usersFiltersIn } from '../../people/web/usersFilters.ts'
import { developersQuery } from '../../reputation/web/calls.ts'
import { reportQuery } from '../../reports/web/calls.ts'
import { settingsQuery } from '../../settings/web/calls.ts'
import { testerListQuery } from '../../testerLists/web/calls.ts'

/** `part` is the part of the screen that the address names. */
type Visit = { role: Role; id: string; params: URLSearchParams; part?: string | undefined }
type Screen = {
  path: string
  /** Who may open it; others are redirected. */
  roles: readonly Role[]
  /** The parts that a parameter of the address can name. */
  parts?: { parameter: string; names: readonly string[] }
  /** The first is what the screen is about. Its shell may name fields of the others by their order (Said.tsx). */
  ask: (visit: Visit) => Promise<unknown>[]
  /** What `ask` requests once the first answer is there. public/early.js does so for a first visit. */
  next?: (visit: Visit) => readonly Next[]
}
/** Requested if the first answer meets the needs. Its address may name fields of the answer. */
type Next = { needs: Needs; ask: (said: Campaign) => Promise<unknown> }

const query: typeof queryClient.prefetchQuery = options => queryClient.prefetchQuery(options)
const pages: typeof queryClient.prefetchInfiniteQuery = options => queryClient.prefetchInfiniteQuery(options)

/** For a tester: campaigns, and whether they may join them. */
const withFits = async (asked: Promise<unknown>, shown: () => Campaign[]) => {
  await Promise.all([asked, query(meQuery)])
  const me = queryClient.getQueryData(meQuery.queryKey)
  if (me) await findFits(shown(), me.country)
}

/** How the developers of campaigns review. */
const reviewersOf = async (asked: Promise<unknown>, shown: () => Campaign[]) => {
  await asked
  const developers = shown().map(({ developer }) => developer.id)
  if (developers.length > 0) await query(developersQuery(developers))
}

const dashboards: Record<Role, Screen['ask']> = {
  DEVELOPER: () => [query(needsQuery), query(developerFiguresQuery), query(recentCampaignsQuery)],
  TESTER: () => [query(meQuery), query(needsQuery), query(testerFiguresQuery), query(recentTestsQuery)],
  ADMIN: () => [query(needsQuery), query(statsQuery)],
}

const listed = { accessMode: ['EMAIL_LIST', 'GOOGLE_GROUP'] satisfies AccessMode[] }
const started = { status: ['LIVE', 'PAUSED', 'COMPLETED'] satisfies CampaignStatus[] }

/** What a campaign's screen shows only of some campaigns. */
const nextOf = ({ role, id, part }: Visit): readonly Next[] => {
  if (role === 'TESTER')
    return [{ needs: { participation: [''] }, ask: ({ developer }) => query(developersQuery([developer.id])) }]
  // Only its owner has the tester list.
  if (part === 'list') return role === 'DEVELOPER' ? [{ needs: listed, ask: () => query(testerListQuery(id)) }] : []
  if (part) return []
  return [
    { needs: started, ask: () => pages(rosterPages(id, 'SUBMITTED')) },
    { needs: started, ask: () => query(continuityQuery(id)) },
  ]
}

const meets = (said: Campaign, needs: Needs) => {
  const fields: Record<string, unknown> = said
  return Object.entries(needs).every(([field, values]) => values.some(value => value === (fields[field] ?? '')))
}

/** What the tabs of a campaign ask for. */
const tabs: Record<string, (id: string, params: URLSearchParams) => Promise<unknown>> = {
  testers: id => pages(rosterPages(id, null)),
  bugs: (id, params) => pages(bugPages(id, filtersIn(bugFilters, params))),
  changes: id => query(versionsQuery(id)),
  feedback: id => query(formQuery(id)),
  activity: id => pages(campaignEventPages(id)),
}

const queues: Record<string, () => Promise<unknown>> = {
  'opt-ins': () => pages(contestedPages),
  appeals: () => pages(appealPages),
  rejections: () => pages(rejectionPages),
  payouts: () => pages(approvalPages),
  refunds: () => pages(stuckRefundPages),
  disputes: () => pages(disputePages),
  escrow: () => pages(escrowPages),
}

/** In lookup order: fixed addresses before those with an id. */
export const screens: readonly Screen[] = [
  { path: paths.dashboard, roles, ask: visit => dashboards[visit.role](visit) },
  {
    path: paths.campaigns,
    roles,
    ask: ({ role, params }) => {
      const list = campaignPages(role, campaignFiltersIn(role, params))
      const shown = () => queryClient.getQueryData(list.queryKey)?.pages.flatMap(({ items }) => items) ?? []
      const asked = pages(list)
      if (role !== 'TESTER') return [asked]
      // The list is drawn without waiting for it: its place is kept.
      void reviewersOf(asked, shown)
      return [withFits(asked, shown)]
    },
  },
  {
    path: paths.campaignsPending,
    roles: ['ADMIN'],
    parts: { parameter: 'list', names: Object.keys(queues) },
    ask: ({ part }) => [
      ...(part ? [queues[part]!()] : []),
      pages(pendingPages),
      pages(pendingLinkPages),
      query(needsQuery),
    ],
  },
  { path: paths.campaignCreate, roles: ['DEVELOPER'], ask: () => [query(newTermsQuery)] },
  {
    path: '/dashboard/campaigns/:id',
    roles,
    parts: { parameter: 'tab', names: [...Object.keys(tabs), 'list'] },
    next: nextOf,
    ask: visit => {
      const { role, id, part } = visit
      const campaign = campaignQuery(id)
      const shown = () => [queryClient.getQueryData(campaign.queryKey)].filter(found => found !== undefined)
      const asked = query(campaign)
      const next = async () => {
        await asked
        for (const said of shown())
          await Promise.all(nextOf(visit).flatMap(({ needs, ask }) => (meets(said, needs) ? [ask(said)] : [])))
      }
      if (role === 'TESTER') return [withFits(asked, shown), next()]
      const tab = tabs[part ?? '']
      return tab ? [asked, tab(id, visit.params)] : [next()]
    },
  },
  { path: '/dashboard/campaigns/:id/edit', roles: ['DEVELOPER'], ask: ({ id }) => [query(campaignQuery(id))] },
  {
    path: '/dashboard/campaigns/:id/feedback-form',
    roles: ['DEVELOPER'],
    ask: ({ id }) => [query(campaignQuery(id)), query(formQuery(id))],
  },
  {
    path: '/dashboard/campaigns/:id/review',
    roles: ['DEVELOPER', 'ADMIN'],
    ask: ({ id }) => [query(campaignQuery(id)), pages(rosterPages(id, 'SUBMITTED'))],
  },
  { path: '/dashboard/campaigns/:id/report', roles: ['DEVELOPER', 'ADMIN'], ask: ({ id }) => [query(reportQuery(id))] },
  // Its owner's editor is in a file of its own: until that has come, a placeholder would take the text's place again.
  { path: '/dashboard/campaigns/:id/nda', roles: ['TESTER', 'ADMIN'], ask: ({ id }) => [query(ndaQuery(id))] },
  { path: '/dashboard/bugs/:id', roles, ask: ({ id }) => [query(bugQuery(id))] },
  { path: paths.myTests, roles: ['TESTER'], ask: () => [pages(myTestPages(null))] },
  { path: '/dashboard/my-tests/:id/report-bug', roles: ['TESTER'], ask: ({ id }) => [query(ownTestQuery(id))] },
  { path: '/dashboard/my-tests/:id', roles: ['TESTER'], ask: ({ id }) => [query(ownTestQuery(id))] },
  {
    path: paths.balance,
    roles: ['TESTER'],
    ask: ({ params }) => [
      query(meQuery),
      query(balanceQuery),
      // Without parameters it shows the newest ones, which come with the balance.
      ...(params.size > 0 ? [query(transactionsQuery(statementFilterIn(params)))] : []),
    ],
  },
  {
    path: paths.payments,
    roles: ['DEVELOPER'],
    ask: ({ params }) => [query(meQuery), query(summaryQuery), query(transactionsQuery(statementFilterIn(params)))],
  },
  {
    path: '/dashboard/balance/withdrawals/:id',
    roles: ['TESTER'],
    ask: ({ id }) => [query(payoutAdviceQuery(id)), query(meQuery)],
  },
  {
    path: '/dashboard/payments/:id',
    roles: ['DEVELOPER'],
    ask: ({ id }) => [query(paymentQuery(id)), query(meQuery)],
  },
  {
    path: '/dashboard/payments/refunds/:id',
    roles: ['DEVELOPER'],
    ask: ({ id }) => [query(refundQuery(id)), query(meQuery)],
  },
  { path: paths.statements, roles: ['DEVELOPER', 'TESTER'], ask: () => [query(papersQuery)] },
  { path: '/dashboard/statements/:id', roles: ['DEVELOPER', 'TESTER'], ask: ({ id }) => [query(statementQuery(id))] },
  {
    path: '/dashboard/statements/years/:id',
    roles: ['DEVELOPER', 'TESTER'],
    ask: ({ id }) => [query(yearSummaryQuery(id))],
  },
  {
    path: paths.analytics,
    roles: ['ADMIN'],
    ask: ({ params }) => [query(analyticsQuery(analyticsFiltersIn(params).period))],
  },
  { path: '/dashboard/disputes/:id', roles: ['ADMIN'], ask: ({ id }) => [query(disputeQuery(id))] },
  { path: '/dashboard/appeals/:id', roles: ['ADMIN'], ask: ({ id }) => [query(appealQuery(id))] },
  { path: paths.security, roles: ['ADMIN'], ask: () => [query(securityQuery)] },
  {
    path: paths.users,
    roles: ['ADMIN'],
    ask: ({ params }) => [query(countsQuery), query(usersQuery(usersFiltersIn(params), pageIn(params)))],
  },
  { path: '/dashboard/users/:id', roles: ['ADMIN'], ask: ({ id }) => [query(userQuery(id))] },
  {
    path: paths.fraud,
    roles: ['ADMIN'],
    ask: ({ params }) => [query(fraudStatsQuery), query(reportsQuery(fraudFiltersIn(params), pageIn(params)))],
  },
  {
    path: paths.auditLog,
    roles: ['ADMIN'],
    ask: ({ params }) => [query(auditLogQuery(auditFiltersIn(params), pageIn(params)))],
  },
  {
    path: paths.waitlist,
    roles: ['ADMIN'],
    ask: ({ params }) => [query(waitlistQuery(waitlistFiltersIn(params), pageIn(params)))],
  },
  { path: paths.operations, roles: ['ADMIN'], ask: () => [query(operationsQuery)] },
  { path: paths.books, roles: ['ADMIN'], ask: ({ params }) => [query(accountsQuery(booksFiltersIn(params).owner))] },
  { path: paths.systemSettings, roles: ['ADMIN'], ask: () => [query(settingsQuery)] },
  { path: paths.notificationChoices, roles, ask: () => [query(choicesQuery)] },
  { path: paths.settings, roles, ask: () => [query(meQuery)] },
  {
    path: paths.notifications,
    roles,
    ask: ({ params }) => [pages(groupsQuery(centerFiltersIn(params)))],
  },
]

const partIn = ({ parts }: Screen, params: URLSearchParams): string | undefined =>
  parts?.names.find(name => name === params.get(parts.parameter))

/** What the frame of every screen requests. */
const askFrame = () => [pages(notificationsQuery)]

/** Requests what a screen and its frame need first, unless it is cached. */
export const askFor = async (screen: Screen, visit: Visit): Promise<void> => {
  await Promise.allSettled([...askFrame(), ...screen.ask(visit)])
}

/**
 * For the screen at an address of this site, and the part of it that the address names; resolves when the answers have arrived.
 * Does nothing if the user may not open it.
 */
export const prefetchScreen = async ({ pathname, search }: { pathname: string; search: string }): Promise<void> => {
  const role = session.user()?.role
  const screen = screens.find(({ path }) => matchPath(path, pathname))
  if (!role || !screen?.roles.includes(role)) return
  const id = matchPath(screen.path, pathname)?.params.id ?? ''
  const params = new URLSearchParams(search)
  const part = partIn(screen, params)
  await askFor(screen, { role, id, params, part })
}
