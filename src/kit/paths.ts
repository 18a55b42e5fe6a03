/**
 * The only builder of links to screens, for the page and for emails. The server also learns from it which addresses have a
 * screen.
 */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  undoEmailChange: '/undo-email-change',
  /**
   * For links in emails: the screen uses the token when its button is pressed. The token comes after the `#`, which browsers do
   * not send to servers, so no log on the way contains it.
   */
  resetPasswordWith: (token: string) => `/reset-password#token=${encodeURIComponent(token)}`,
  verifyEmailWith: (token: string) => `/verify-email#token=${encodeURIComponent(token)}`,
  undoEmailChangeWith: (token: string) => `/undo-email-change#token=${encodeURIComponent(token)}`,
  /** Turning emails off takes a press on the screen, or a POST by a mail program to the second address (RFC 8058). */
  unsubscribe: '/unsubscribe',
  unsubscribeWith: (token: string) => `/unsubscribe#token=${encodeURIComponent(token)}`,
  unsubscribeByPost: (token: string) => `/unsubscribe?token=${encodeURIComponent(token)}`,
  dashboard: '/dashboard',
  campaigns: '/dashboard/campaigns',
  campaignCreate: '/dashboard/campaigns/create',
  campaignsPending: '/dashboard/campaigns/pending',
  linksPending: '/dashboard/campaigns/pending?list=links',
  optInsContested: '/dashboard/campaigns/pending?list=opt-ins',
  appealsPending: '/dashboard/campaigns/pending?list=appeals',
  payoutsPending: '/dashboard/campaigns/pending?list=payouts',
  rejectionsPending: '/dashboard/campaigns/pending?list=rejections',
  disputesOpen: '/dashboard/campaigns/pending?list=disputes',
  refundsStuck: '/dashboard/campaigns/pending?list=refunds',
  escrowAging: '/dashboard/campaigns/pending?list=escrow',
  dispute: (id: string) => `/dashboard/disputes/${encodeURIComponent(id)}`,
  /** By the participation's id. */
  appeal: (id: string) => `/dashboard/appeals/${encodeURIComponent(id)}`,
  campaign: (id: string) => `/dashboard/campaigns/${encodeURIComponent(id)}`,
  campaignTab: (id: string, tab: 'testers' | 'list' | 'bugs' | 'changes' | 'feedback' | 'activity') =>
    `/dashboard/campaigns/${encodeURIComponent(id)}?tab=${tab}`,
  /** The campaign's testers, with one of them open. */
  campaignTester: (id: string, testId: string) =>
    `/dashboard/campaigns/${encodeURIComponent(id)}?tab=testers&tester=${encodeURIComponent(testId)}`,
  review: (id: string) => `/dashboard/campaigns/${encodeURIComponent(id)}/review`,
  reviewOf: (id: string, testId: string) =>
    `/dashboard/campaigns/${encodeURIComponent(id)}/review?test=${encodeURIComponent(testId)}`,
  campaignEdit: (id: string) => `/dashboard/campaigns/${encodeURIComponent(id)}/edit`,
  campaignFeedbackForm: (id: string) => `/dashboard/campaigns/${encodeURIComponent(id)}/feedback-form`,
  campaignReport: (id: string) => `/dashboard/campaigns/${encodeURIComponent(id)}/report`,
  /** One bug with its thread, for its tester, the campaign's owner and admins. */
  bug: (id: string) => `/dashboard/bugs/${encodeURIComponent(id)}`,
  bugReport: (testId: string) => `/dashboard/my-tests/${encodeURIComponent(testId)}/report-bug`,
  campaignNda: (id: string) => `/dashboard/campaigns/${encodeURIComponent(id)}/nda`,
  myTests: '/dashboard/my-tests',
  myTest: (id: string) => `/dashboard/my-tests/${encodeURIComponent(id)}`,
  balance: '/dashboard/balance',
  payments: '/dashboard/payments',
  receipt: (id: string) => `/dashboard/payments/${encodeURIComponent(id)}`,
  creditNote: (id: string) => `/dashboard/payments/refunds/${encodeURIComponent(id)}`,
  /** A withdrawal, as on its payout advice. */
  payoutAdvice: (id: string) => `/dashboard/balance/withdrawals/${encodeURIComponent(id)}`,
  /** Papers for a user's bookkeeping: by month (`2026-11`), and by year. */
  statements: '/dashboard/statements',
  statement: (month: string) => `/dashboard/statements/${encodeURIComponent(month)}`,
  yearSummary: (year: string) => `/dashboard/statements/years/${encodeURIComponent(year)}`,
  /** The statement, filtered by campaign. */
  balanceOf: (campaignId: string) => `/dashboard/balance?campaign=${encodeURIComponent(campaignId)}`,
  paymentsOf: (campaignId: string) => `/dashboard/payments?campaign=${encodeURIComponent(campaignId)}`,
  waitlist: '/dashboard/waitlist',
  fraud: '/dashboard/fraud',
  /** The open reports of one severity, as “Needs your attention” counts them. */
  fraudOpen: (severity: string) => `/dashboard/fraud?severity=${encodeURIComponent(severity)}&status=OPEN&sample=false`,
  users: '/dashboard/users',
  user: (id: string) => `/dashboard/users/${encodeURIComponent(id)}`,
  security: '/dashboard/users/security',
  settings: '/dashboard/settings',
  notifications: '/dashboard/notifications',
  notificationChoices: '/dashboard/notifications/choices',
  analytics: '/dashboard/analytics',
  auditLog: '/dashboard/audit-log',
  systemSettings: '/dashboard/system-settings',
  operations: '/dashboard/operations',
  books: '/dashboard/books',
  /** The accounts of a campaign or a tester. */
  booksOf: (ownerId: string) => `/dashboard/books?owner=${encodeURIComponent(ownerId)}`,
  /** One account of an owner; the platform's if `ownerId` is null. */
  booksAccount: (ownerId: string | null, account: string) =>
    `/dashboard/books?${ownerId === null ? '' : `owner=${encodeURIComponent(ownerId)}&`}account=${account}`,
  /** A developer's own figures: a section of the dashboard. */
  ownAnalytics: '/dashboard#analytics',
} as const
