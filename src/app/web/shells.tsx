/**
 * What the document shows before the app's scripts have loaded, made of the screens' own components: rendered at build time
 * (build/prerender.ts) into templates of index.html. public/shell.js shows the one that matches the address and the stored
 * session, and React replaces it with the screen in one step (main.tsx).
 */
import type { ComponentProps, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { RouterProvider, createMemoryRouter } from 'react-router'
import {
  ForgotPasswordShell,
  RegisterShell,
  ResetPasswordShell,
  SignInShell,
  UndoEmailChangeShell,
  VerifyEmailShell,
} from '../../accounts/web/shells.tsx'
import { NoticeFrame } from '../../accounts/web/NoticeFrame.tsx'
import { auditLogHead } from '../../audit/web/heads.ts'
import { booksHead } from '../../books/web/heads.ts'
import { operationsHead } from '../../operations/web/heads.ts'
import { campaignsHeads, createHead, pendingHead } from '../../campaigns/web/heads.ts'
import { analyticsHead } from '../../dashboards/web/heads.ts'
import { fraudHead } from '../../fraud/web/heads.ts'
import { paths } from '../../kit/paths.ts'
import { type Role, roles } from '../../kit/roles.ts'
import { waitlistHead } from '../../landing/web/heads.ts'
import { balanceHead, paymentsHead, statementsHead } from '../../ledger/web/heads.ts'
import { choicesHead, notificationsHead } from '../../notifications/web/heads.ts'
import { myTestsHead } from '../../participations/web/heads.ts'
import { securityHead, usersHead } from '../../people/web/heads.ts'
import { systemSettingsHead } from '../../settings/web/heads.ts'
import { UserFigures } from '../../people/web/UserFigures.tsx'
import { UsersToolbar } from '../../people/web/UsersToolbar.tsx'
import { noFilters } from '../../people/web/usersFilters.ts'
import { settingsHead } from './screens/heads.ts'
import { DashboardSkeleton } from '../../dashboards/web/DashboardSkeleton.tsx'
import { DashboardFrame } from './layout/DashboardFrame.tsx'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { PageSpinner } from '../../kit/web/ui/Spinner.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'

const Frame = ({ children }: { children: ReactNode }) => (
  <DashboardFrame bottom={<div className="h-16" />}>
    <div data-unconfirmed hidden>
      <NoticeFrame email="">
        <Button variant="outline" size="sm">
          Send again
        </Button>
      </NoticeFrame>
    </div>
    {children}
  </DashboardFrame>
)

const shells = {
  login: <SignInShell />,
  register: <RegisterShell />,
  'forgot-password': <ForgotPasswordShell />,
  'reset-password': <ResetPasswordShell />,
  'verify-email': <VerifyEmailShell />,
  'undo-email-change': <UndoEmailChangeShell />,
  /** Name and role are in the browser's storage, so shell.js fills in the name and reserves space for the role. */
  dashboard: (
    <Frame>
      <PageHeader
        title="Welcome"
        badge={
          <span className="invisible">
            <Badge>Role</Badge>
          </span>
        }
      />
      <div className="grid gap-6">
        <DashboardSkeleton />
      </div>
    </Frame>
  ),
  'signed-in': (
    <Frame>
      <div data-content>
        <PageSpinner />
      </div>
    </Frame>
  ),
  other: <PageSpinner />,
}

type ScreenShell = {
  path: string
  roles: readonly Role[]
  head: ComponentProps<typeof PageHeader>
  narrow?: boolean
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

/** Screens whose header is known before their data; shell.js puts it into the frame. */
const screens: ScreenShell[] = [
  ...roles.map(role => ({ path: paths.campaigns, roles: [role], head: campaignsHeads[role] })),
  { path: paths.campaignCreate, roles: ['DEVELOPER'], head: createHead },
  { path: paths.campaignsPending, roles: ['ADMIN'], head: pendingHead },
  { path: paths.myTests, roles: ['TESTER'], head: myTestsHead },
  { path: paths.balance, roles: ['TESTER'], head: balanceHead },
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
  },
  { path: paths.settings, roles, head: settingsHead, narrow: true },
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
  { path: paths.books, roles: ['ADMIN'], head: booksHead },
  { path: paths.systemSettings, roles: ['ADMIN'], head: systemSettingsHead },
  { path: paths.waitlist, roles: ['ADMIN'], head: waitlistHead },
]

const markupOf = (shell: ReactNode) =>
  renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: '*', element: shell }])} />)

const screenTemplate = ({ path, roles: of, head, narrow = false, body = <SkeletonList /> }: ScreenShell) => {
  const markup = markupOf(
    <div className={narrow ? 'mx-auto max-w-3xl' : undefined}>
      <PageHeader {...head} />
      {body}
    </div>,
  )
  return `<template data-screen="${path}" data-roles="${of.join(' ')}">${markup}</template>`
}

/** Only the first public screen contains the illustration; shell.js copies it into the others. */
const illustration = /<aside [^]*<\/aside>/

const shellTemplate = ([name, shell]: [string, ReactNode], index: number) => {
  const markup = markupOf(shell)
  const once = index === 0 ? markup : markup.replace(illustration, '<aside></aside>')
  return `<template id="shell-${name}">${once}</template>`
}

export const renderShells = (): string =>
  [...Object.entries(shells).map(shellTemplate), ...screens.map(screenTemplate)].join('\n    ')
