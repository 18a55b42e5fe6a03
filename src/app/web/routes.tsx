/** Every screen and who may see it (spec §2). Each one is loaded on its first visit. */
import { type DataRouter, NavigationType, type RouteObject, createBrowserRouter, redirectDocument } from 'react-router'
import { Root } from './Root.tsx'
import { RootError, ScreenError } from './RootError.tsx'
import { expectHeading, noteReturn } from '../../kit/web/arrival.ts'
import { GuestOnly, requireRole } from './guards.tsx'
import { paths } from '../../kit/paths.ts'

const dashboard: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({ Component: (await import('../../dashboards/web/DashboardPage.tsx')).DashboardPage }),
  },
  {
    path: 'campaigns',
    lazy: async () => ({ Component: (await import('./screens/CampaignsScreen.tsx')).CampaignsScreen }),
  },
  {
    path: 'campaigns/:id',
    lazy: async () => ({ Component: (await import('./screens/CampaignScreen.tsx')).CampaignScreen }),
  },
  {
    path: 'campaigns/:id/nda',
    lazy: async () => ({ Component: (await import('../../nda/web/NdaPage.tsx')).NdaPage }),
  },
  {
    Component: requireRole(['DEVELOPER', 'ADMIN']),
    children: [
      {
        path: 'campaigns/:id/report',
        lazy: async () => ({ Component: (await import('../../reports/web/ReportPage.tsx')).ReportPage }),
      },
    ],
  },
  {
    path: 'bugs/:id',
    lazy: async () => ({ Component: (await import('../../bugs/web/BugPage.tsx')).BugPage }),
  },
  {
    path: 'settings',
    lazy: async () => ({ Component: (await import('./screens/SettingsScreen.tsx')).SettingsScreen }),
  },
  {
    path: 'notifications',
    lazy: async () => ({
      Component: (await import('../../notifications/web/NotificationsPage.tsx')).NotificationsPage,
    }),
  },
  {
    path: 'notifications/choices',
    lazy: async () => ({
      Component: (await import('../../notifications/web/ChoicesPage.tsx')).ChoicesPage,
    }),
  },
  {
    // The specification's sentence (spec §8).
    Component: requireRole('DEVELOPER', {
      says: 'Only developers can create campaigns. Please switch to a developer account.',
    }),
    children: [
      {
        path: 'campaigns/create',
        lazy: async () => ({
          Component: (await import('../../campaigns/web/CampaignCreatePage.tsx')).CampaignCreatePage,
        }),
      },
    ],
  },
  {
    // Admins review for a developer who cannot.
    Component: requireRole(['DEVELOPER', 'ADMIN']),
    children: [
      {
        path: 'campaigns/:id/review',
        lazy: async () => ({ Component: (await import('./screens/ReviewScreen.tsx')).ReviewScreen }),
      },
    ],
  },
  {
    Component: requireRole('DEVELOPER'),
    children: [
      {
        path: 'campaigns/:id/edit',
        lazy: async () => ({ Component: (await import('../../campaigns/web/CampaignEditPage.tsx')).CampaignEditPage }),
      },
      {
        path: 'campaigns/:id/feedback-form',
        lazy: async () => ({ Component: (await import('./screens/FormScreen.tsx')).FormScreen }),
      },
      {
        path: 'payments',
        lazy: async () => ({ Component: (await import('../../ledger/web/PaymentsPage.tsx')).PaymentsPage }),
      },
      {
        path: 'payments/:id',
        lazy: async () => ({ Component: (await import('../../ledger/web/ReceiptPage.tsx')).ReceiptPage }),
      },
      {
        path: 'payments/refunds/:id',
        lazy: async () => ({ Component: (await import('../../ledger/web/CreditNotePage.tsx')).CreditNotePage }),
      },
    ],
  },
  {
    Component: requireRole(['DEVELOPER', 'TESTER']),
    children: [
      {
        path: 'statements',
        lazy: async () => ({ Component: (await import('../../ledger/web/StatementsPage.tsx')).StatementsPage }),
      },
      {
        path: 'statements/:id',
        lazy: async () => ({ Component: (await import('../../ledger/web/StatementPage.tsx')).StatementPage }),
      },
      {
        path: 'statements/years/:id',
        lazy: async () => ({ Component: (await import('../../ledger/web/YearPage.tsx')).YearPage }),
      },
    ],
  },
  {
    Component: requireRole('TESTER'),
    children: [
      {
        path: 'my-tests',
        lazy: async () => ({ Component: (await import('../../participations/web/MyTestsPage.tsx')).MyTestsPage }),
      },
      {
        path: 'my-tests/:id',
        lazy: async () => ({ Component: (await import('./screens/TestScreen.tsx')).TestScreen }),
      },
      {
        path: 'my-tests/:id/report-bug',
        lazy: async () => ({ Component: (await import('../../bugs/web/ReportBugPage.tsx')).ReportBugPage }),
      },
      {
        path: 'balance',
        lazy: async () => ({ Component: (await import('../../ledger/web/BalancePage.tsx')).BalancePage }),
      },
      {
        path: 'balance/withdrawals/:id',
        lazy: async () => ({ Component: (await import('../../ledger/web/PayoutAdvicePage.tsx')).PayoutAdvicePage }),
      },
    ],
  },
  {
    // A developer's own analytics are a section of the dashboard (product.md §1).
    Component: requireRole('ADMIN', { elsewhere: { DEVELOPER: paths.ownAnalytics } }),
    children: [
      {
        path: 'analytics',
        lazy: async () => ({ Component: (await import('../../dashboards/web/AnalyticsPage.tsx')).AnalyticsPage }),
      },
    ],
  },
  {
    Component: requireRole('ADMIN'),
    children: [
      {
        path: 'campaigns/pending',
        lazy: async () => ({
          Component: (await import('./screens/PendingScreen.tsx')).PendingScreen,
        }),
      },
      {
        path: 'disputes/:id',
        lazy: async () => ({ Component: (await import('../../ledger/web/DisputePage.tsx')).DisputePage }),
      },
      {
        path: 'appeals/:id',
        lazy: async () => ({ Component: (await import('../../participations/web/AppealPage.tsx')).AppealPage }),
      },
      {
        path: 'fraud',
        lazy: async () => ({ Component: (await import('../../fraud/web/FraudPage.tsx')).FraudPage }),
      },
      {
        path: 'users',
        lazy: async () => ({ Component: (await import('../../people/web/UsersPage.tsx')).UsersPage }),
      },
      {
        path: 'users/security',
        lazy: async () => ({ Component: (await import('../../people/web/SecurityPage.tsx')).SecurityPage }),
      },
      {
        path: 'users/:id',
        lazy: async () => ({ Component: (await import('../../people/web/UserPage.tsx')).UserPage }),
      },
      {
        path: 'audit-log',
        lazy: async () => ({ Component: (await import('./screens/AuditLogScreen.tsx')).AuditLogScreen }),
      },
      {
        path: 'operations',
        lazy: async () => ({ Component: (await import('../../operations/web/OperationsPage.tsx')).OperationsPage }),
      },
      {
        path: 'books',
        lazy: async () => ({ Component: (await import('../../books/web/BooksPage.tsx')).BooksPage }),
      },
      {
        path: 'system-settings',
        lazy: async () => ({
          Component: (await import('../../settings/web/SystemSettingsPage.tsx')).SystemSettingsPage,
        }),
      },
      {
        path: 'waitlist',
        lazy: async () => ({ Component: (await import('../../landing/web/WaitlistPage.tsx')).WaitlistPage }),
      },
    ],
  },
]

const routes: RouteObject[] = [
  // The landing page is a separate document, so a link to it is a full load.
  { index: true, loader: () => redirectDocument(paths.home) },
  {
    Component: GuestOnly,
    children: [
      {
        path: 'login',
        lazy: async () => ({ Component: (await import('../../accounts/web/LoginPage.tsx')).LoginPage }),
      },
      {
        path: 'register',
        lazy: async () => ({ Component: (await import('../../accounts/web/RegisterPage.tsx')).RegisterPage }),
      },
    ],
  },
  // For anybody, because an emailed link may be opened where its user or somebody else is signed in.
  {
    path: 'forgot-password',
    lazy: async () => ({ Component: (await import('../../accounts/web/ForgotPasswordPage.tsx')).ForgotPasswordPage }),
  },
  {
    path: 'reset-password',
    lazy: async () => ({ Component: (await import('../../accounts/web/ResetPasswordPage.tsx')).ResetPasswordPage }),
  },
  {
    path: 'verify-email',
    lazy: async () => ({ Component: (await import('../../accounts/web/VerifyEmailPage.tsx')).VerifyEmailPage }),
  },
  {
    path: 'undo-email-change',
    lazy: async () => ({ Component: (await import('../../accounts/web/UndoEmailChangePage.tsx')).UndoEmailChangePage }),
  },
  {
    path: 'unsubscribe',
    lazy: async () => ({ Component: (await import('./screens/UnsubscribeScreen.tsx')).UnsubscribeScreen }),
  },
  {
    path: 'dashboard',
    lazy: async () => ({ Component: (await import('./layout/DashboardLayout.tsx')).DashboardLayout }),
    children: [{ ErrorBoundary: ScreenError, children: dashboard }],
  },
  { path: '*', lazy: async () => ({ Component: (await import('../../landing/web/NotFoundPage.tsx')).NotFoundPage }) },
]

/** Starts loading the screen of the address. */
export const startRouter = (): DataRouter => {
  const router = createBrowserRouter([{ Component: Root, ErrorBoundary: RootError, children: routes }])
  let { pathname } = router.state.location
  router.subscribe(({ historyAction, location, navigation }) => {
    noteReturn(historyAction === NavigationType.Pop)
    // Called while the old screen is still shown; the new one's heading takes the focus when it appears.
    const next = navigation.location?.pathname ?? location.pathname
    if (next === pathname) return
    pathname = next
    expectHeading()
  })
  return router
}
