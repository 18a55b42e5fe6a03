/** The signed-in screens whose headers the document contains (shells.tsx). */
import type { ComponentProps, ReactNode } from 'react'
import { auditLogHead } from '../../audit/web/heads.ts'
import { booksHead } from '../../books/web/heads.ts'
import { BooksShell } from '../../books/web/shells.tsx'
import { operationsHead } from '../../operations/web/heads.ts'
import { campaignsHeads, createHead, pendingHead } from '../../campaigns/web/heads.ts'
import { analyticsHead } from '../../dashboards/web/heads.ts'
import { formHead } from '../../feedback/web/heads.ts'
import { FormBuilderShell } from '../../feedback/web/shells.tsx'
import { fraudHead } from '../../fraud/web/heads.ts'
import { paths } from '../../kit/paths.ts'
import { type Role, roles } from '../../kit/roles.ts'
import { waitlistHead } from '../../landing/web/heads.ts'
import {
  balanceHead,
  creditNoteTitle,
  paymentsHead,
  payoutAdviceTitle,
  statementOf,
  statementsHead,
  summaryOf,
} from '../../ledger/web/heads.ts'
import { ChoicesShell } from '../../notifications/web/ChoicesShell.tsx'
import { choicesHead, notificationsHead } from '../../notifications/web/heads.ts'
import { receiptTitle } from '../../ledger/paperWords.ts'
import { transactionStatuses } from '../../ledger/terms.ts'
import { payoutAdviceNotes } from '../../ledger/web/paperFacts.tsx'
import {
  CreditNoteShell,
  paperButtons,
  PayoutAdviceShell,
  ReceiptShell,
  statementButtons,
} from '../../ledger/web/paperShells.tsx'
import { PaperBack } from '../../ledger/web/PaperSheet.tsx'
import { BalanceShell } from '../../ledger/web/shells.tsx'
import { ReportBugShell } from '../../bugs/web/shells.tsx'
import { reportTitle } from '../../bugs/web/reportWords.ts'
import { ndaTitle } from '../../nda/web/NdaFrame.tsx'
import { NdaShell } from '../../nda/web/shells.tsx'
import { myTestsHead, reviewHead } from '../../participations/web/heads.ts'
import { securityHead, usersHead } from '../../people/web/heads.ts'
import { systemSettingsHead } from '../../settings/web/heads.ts'
import { UserFigures } from '../../people/web/UserFigures.tsx'
import { UsersToolbar } from '../../people/web/UsersToolbar.tsx'
import { noFilters } from '../../people/web/usersFilters.ts'
import { settingsHead } from './screens/heads.ts'
import { SettingsShell } from '../../accounts/web/settings/shells.tsx'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { CampaignsShell, PendingShell } from '../../campaigns/web/shells.tsx'
import { listActions } from '../../campaigns/web/listActions.tsx'
import { listNames } from '../../campaigns/web/listNames.ts'
import { unknownBadge } from '../../kit/web/ui/unknownBadge.tsx'
import type { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { type Needs, Said } from '../../kit/web/ui/Said.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'

export type ScreenShell = {
  path: string
  roles: readonly Role[]
  head: ComponentProps<typeof PageHeader>
  narrow?: boolean
  /** Shown once the server's answer meets them (Said.tsx). */
  needs?: Needs
  /** Below the header, as far as it is known in advance. */
  body?: ReactNode
}

/**
 * Their placeholder is the largest text on the screen: shown here, it keeps the largest contentful paint from waiting for the
 * scripts.
 */
const usersBody = (
  <div inert>
    <UserFigures of={undefined} />
    <UsersToolbar filters={noFilters} onChange={() => undefined} />
    <SkeletonList />
  </div>
)

/** Those whose settings begin with the same words. */
const settingsRoles = [['TESTER'], ['DEVELOPER', 'ADMIN']] as const

/** Screens whose header is known before their data; shell.js puts it into the frame. */
export const screens: ScreenShell[] = [
  ...roles.map(role => ({
    path: paths.campaigns,
    roles: [role],
    head: { ...campaignsHeads[role], actions: listActions[role] },
    body: <CampaignsShell role={role} />,
  })),
  { path: paths.campaignCreate, roles: ['DEVELOPER'], head: createHead },
  { path: paths.campaignsPending, roles: ['ADMIN'], head: pendingHead, body: <PendingShell /> },
  { path: paths.myTests, roles: ['TESTER'], head: myTestsHead },
  { path: paths.balance, roles: ['TESTER'], head: balanceHead, body: <BalanceShell /> },
  { path: paths.payments, roles: ['DEVELOPER'], head: paymentsHead },
  {
    path: paths.statements,
    roles: ['DEVELOPER'],
    head: { ...statementsHead, back: <BackLink to={paths.payments}>Payments</BackLink> },
  },
  {
    path: paths.statements,
    roles: ['TESTER'],
    head: { ...statementsHead, back: <BackLink to={paths.balance}>Balance</BackLink> },
  },
  { path: paths.notifications, roles, head: notificationsHead, narrow: true },
  {
    path: paths.notificationChoices,
    roles,
    head: { ...choicesHead, back: <BackLink to={paths.notifications}>Notifications</BackLink> },
    narrow: true,
    body: <ChoicesShell />,
  },
  ...settingsRoles.map(of => ({
    path: paths.settings,
    roles: of,
    head: settingsHead,
    narrow: true,
    body: <SettingsShell role={of[0]} />,
  })),
  { path: paths.analytics, roles: ['ADMIN'], head: analyticsHead },
  { path: paths.users, roles: ['ADMIN'], head: usersHead, body: usersBody },
  {
    path: paths.security,
    roles: ['ADMIN'],
    head: { ...securityHead, back: <BackLink to={paths.users}>Users</BackLink> },
  },
  { path: paths.fraud, roles: ['ADMIN'], head: fraudHead },
  { path: paths.auditLog, roles: ['ADMIN'], head: auditLogHead },
  { path: paths.operations, roles: ['ADMIN'], head: operationsHead },
  { path: paths.books, roles: ['ADMIN'], head: booksHead, body: <BooksShell /> },
  { path: paths.systemSettings, roles: ['ADMIN'], head: systemSettingsHead },
  { path: paths.waitlist, roles: ['ADMIN'], head: waitlistHead },
]

const backTo = (to: string, name: ReactNode) => <BackLink to={to}>{name}</BackLink>
const title = <Said field="title" />
const campaignTitle = <Said field="campaign.title" />

/**
 * Screens of one object: shell.js fills in what the server says about it and shows them once it has, which is usually before the
 * screen's code has loaded.
 */
export const details: ScreenShell[] = [
  ...roles.map(role => ({
    path: '/dashboard/campaigns/:id',
    roles: [role],
    head: { title, badge: unknownBadge, back: backTo(paths.campaigns, listNames[role]) },
  })),
  {
    path: '/dashboard/campaigns/:id/edit',
    roles: ['DEVELOPER'],
    head: { title: <>Edit {title}</>, badge: unknownBadge, back: backTo(paths.campaign(':id'), title) },
  },
  {
    path: '/dashboard/campaigns/:id/feedback-form',
    roles: ['DEVELOPER'],
    head: { ...formHead, back: backTo(paths.campaignTab(':id', 'feedback'), title) },
    body: <FormBuilderShell />,
  },
  {
    path: '/dashboard/campaigns/:id/review',
    roles: ['DEVELOPER', 'ADMIN'],
    head: { ...reviewHead, back: backTo(paths.campaign(':id'), title) },
  },
  {
    path: '/dashboard/campaigns/:id/report',
    roles: ['DEVELOPER', 'ADMIN'],
    head: { title: <>Report: {campaignTitle}</>, back: backTo(paths.campaign(':campaign.id'), 'Campaign') },
  },
  {
    path: '/dashboard/campaigns/:id/nda',
    roles: ['TESTER', 'ADMIN'],
    head: {
      title: (
        <>
          {ndaTitle}: {campaignTitle}
        </>
      ),
      back: backTo(paths.campaign(':campaign.id'), 'Campaign'),
    },
    body: <NdaShell />,
  },
  {
    path: '/dashboard/my-tests/:id/report-bug',
    roles: ['TESTER'],
    head: { title: reportTitle, description: campaignTitle, back: backTo(paths.myTest(':id'), 'My test') },
    body: <ReportBugShell />,
  },
  {
    path: '/dashboard/my-tests/:id',
    roles: ['TESTER'],
    head: { title: campaignTitle, badge: unknownBadge, back: backTo(paths.myTests, 'My Tests') },
  },
  {
    path: '/dashboard/payments/:id',
    roles: ['DEVELOPER'],
    needs: { status: transactionStatuses.filter(status => receiptTitle(status) === receiptTitle('COMPLETED')) },
    head: {
      title: receiptTitle('COMPLETED'),
      back: <PaperBack to={paths.payments}>Payments</PaperBack>,
      actions: paperButtons,
    },
    body: <ReceiptShell />,
  },
  {
    path: '/dashboard/payments/refunds/:id',
    roles: ['DEVELOPER'],
    needs: { status: transactionStatuses },
    head: { title: creditNoteTitle, back: <PaperBack to={paths.payments}>Payments</PaperBack>, actions: paperButtons },
    body: <CreditNoteShell />,
  },
  {
    path: '/dashboard/balance/withdrawals/:id',
    roles: ['TESTER'],
    needs: { status: Object.keys(payoutAdviceNotes) },
    head: { title: payoutAdviceTitle, back: <PaperBack to={paths.balance}>Balance</PaperBack>, actions: paperButtons },
    body: <PayoutAdviceShell />,
  },
  {
    path: '/dashboard/statements/:id',
    roles: ['DEVELOPER', 'TESTER'],
    head: {
      title: (
        <>
          {statementOf}
          <Said field="month" as="month" />
        </>
      ),
      back: <PaperBack to={paths.statements}>Statements</PaperBack>,
      actions: statementButtons,
    },
  },
  {
    path: '/dashboard/statements/years/:id',
    roles: ['DEVELOPER', 'TESTER'],
    head: {
      title: (
        <>
          {summaryOf}
          <Said field="year" />
        </>
      ),
      back: <PaperBack to={paths.statements}>Statements</PaperBack>,
      actions: statementButtons,
    },
  },
  ...roles.map(role => ({
    path: '/dashboard/bugs/:id',
    roles: [role],
    head: {
      title: (
        <>
          #<Said field="number" /> {title}
        </>
      ),
      description: campaignTitle,
      badge: unknownBadge,
      back:
        role === 'TESTER'
          ? backTo(paths.myTest(':testId'), 'My test')
          : backTo(paths.campaignTab(':campaign.id', 'bugs'), 'Bugs'),
    },
  })),
  {
    path: '/dashboard/disputes/:id',
    roles: ['ADMIN'],
    head: {
      title: <>Dispute about {campaignTitle}</>,
      badge: unknownBadge,
      back: backTo(paths.disputesOpen, 'Disputes'),
    },
  },
  {
    path: '/dashboard/appeals/:id',
    roles: ['ADMIN'],
    head: {
      title: (
        <>
          <Said field="test.alias" /> of <Said field="test.campaign.title" />
        </>
      ),
      badge: unknownBadge,
      back: backTo(paths.appealsPending, 'Appeals'),
    },
  },
  {
    path: '/dashboard/users/:id',
    roles: ['ADMIN'],
    head: {
      title: <Said field="name" />,
      description: <Said field="email" />,
      badge: unknownBadge,
      back: backTo(paths.users, 'Users'),
    },
  },
]
