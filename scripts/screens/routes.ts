/** Every screen that each role can open (for npm run screens and e2e/axe.spec.ts). */

/**
 * The ids of objects with a detail screen: `review` has proofs, `closed` is a closed test, `wayIn` a tester who has not opted in
 * yet, `open` a campaign that the tester can join, `bug` and `myBug` are bugs that the developer and the tester can read.
 */
export type Ids = Record<
  | 'campaign'
  | 'review'
  | 'closed'
  | 'draft'
  | 'test'
  | 'wayIn'
  | 'payment'
  | 'refund'
  | 'withdrawal'
  | 'user'
  | 'bug'
  | 'myBug'
  | 'open'
  | 'appeal'
  | 'dispute'
  /** Not an id, but a month such as `2026-11`. */
  | 'month',
  string
>

export type Viewer = 'VISITOR' | 'DEVELOPER' | 'TESTER' | 'ADMIN'

/** Paths by name, which becomes part of the screenshot's file name. */
type Screens = Record<string, string>

const ofEverybody: Screens = {
  dashboard: '/dashboard',
  campaigns: '/dashboard/campaigns',
  settings: '/dashboard/settings',
  notifications: '/dashboard/notifications',
  'notification-choices': '/dashboard/notifications/choices',
}

const campaignScreens = ({ campaign, review, bug }: Ids): Screens => ({
  campaign: `/dashboard/campaigns/${campaign}`,
  'campaign-testers': `/dashboard/campaigns/${campaign}?tab=testers`,
  'campaign-review': `/dashboard/campaigns/${review}/review`,
  'campaign-bugs': `/dashboard/campaigns/${campaign}?tab=bugs`,
  'campaign-changes': `/dashboard/campaigns/${review}?tab=changes`,
  'campaign-feedback': `/dashboard/campaigns/${review}?tab=feedback`,
  'campaign-activity': `/dashboard/campaigns/${campaign}?tab=activity`,
  bug: `/dashboard/bugs/${bug}`,
  'campaign-report': `/dashboard/campaigns/${campaign}/report`,
  'campaign-nda': `/dashboard/campaigns/${review}/nda`,
})

const statements = ({ month }: Ids): Screens => ({
  statements: '/dashboard/statements',
  statement: `/dashboard/statements/${month}`,
  'year-summary': `/dashboard/statements/years/${month.slice(0, 4)}`,
})

const screens: Record<Viewer, (ids: Ids) => Screens> = {
  VISITOR: () => ({
    landing: '/',
    login: '/login',
    register: '/register',
    'forgot-password': '/forgot-password',
    'reset-password': `/reset-password#token=${'a'.repeat(24)}`,
    'reset-password-cut': '/reset-password',
    'verify-email': `/verify-email#token=${'a'.repeat(24)}`,
    'verify-email-cut': '/verify-email',
    'undo-email-change': `/undo-email-change#token=${'a'.repeat(24)}`,
    'undo-email-change-cut': '/undo-email-change',
    unsubscribe: '/unsubscribe?token=none.PROOFS.none',
    'not-found': '/no/such/page',
  }),
  DEVELOPER: ids => ({
    ...ofEverybody,
    ...campaignScreens(ids),
    'closed-campaign': `/dashboard/campaigns/${ids.closed}`,
    'closed-campaign-testers': `/dashboard/campaigns/${ids.closed}?tab=testers`,
    'closed-campaign-list': `/dashboard/campaigns/${ids.closed}?tab=list`,
    'closed-campaign-report': `/dashboard/campaigns/${ids.closed}/report`,
    'campaign-create': '/dashboard/campaigns/create',
    'campaign-edit': `/dashboard/campaigns/${ids.draft}/edit`,
    'campaign-feedback-form': `/dashboard/campaigns/${ids.draft}/feedback-form`,
    payments: '/dashboard/payments',
    receipt: `/dashboard/payments/${ids.payment}`,
    'credit-note': `/dashboard/payments/refunds/${ids.refund}`,
    ...statements(ids),
  }),
  TESTER: ids => ({
    ...ofEverybody,
    campaign: `/dashboard/campaigns/${ids.campaign}`,
    'campaign-nda': `/dashboard/campaigns/${ids.campaign}/nda`,
    'open-campaign': `/dashboard/campaigns/${ids.open}`,
    'my-tests': '/dashboard/my-tests',
    'my-test': `/dashboard/my-tests/${ids.test}`,
    'report-bug': `/dashboard/my-tests/${ids.test}/report-bug`,
    'my-bug': `/dashboard/bugs/${ids.myBug}`,
    'my-closed-test': `/dashboard/my-tests/${ids.wayIn}`,
    'closed-campaign': `/dashboard/campaigns/${ids.closed}`,
    balance: '/dashboard/balance',
    'payout-advice': `/dashboard/balance/withdrawals/${ids.withdrawal}`,
    ...statements(ids),
  }),
  ADMIN: ids => ({
    ...ofEverybody,
    ...campaignScreens(ids),
    pending: '/dashboard/campaigns/pending',
    'pending-links': '/dashboard/campaigns/pending?list=links',
    'pending-opt-ins': '/dashboard/campaigns/pending?list=opt-ins',
    'pending-appeals': '/dashboard/campaigns/pending?list=appeals',
    'pending-disputes': '/dashboard/campaigns/pending?list=disputes',
    'pending-escrow': '/dashboard/campaigns/pending?list=escrow',
    dispute: `/dashboard/disputes/${ids.dispute}`,
    'pending-rejections': '/dashboard/campaigns/pending?list=rejections',
    'pending-payouts': '/dashboard/campaigns/pending?list=payouts',
    'pending-refunds': '/dashboard/campaigns/pending?list=refunds',
    appeal: `/dashboard/appeals/${ids.appeal}`,
    users: '/dashboard/users',
    user: `/dashboard/users/${ids.user}`,
    security: '/dashboard/users/security',
    fraud: '/dashboard/fraud',
    analytics: '/dashboard/analytics',
    'audit-log': '/dashboard/audit-log',
    operations: '/dashboard/operations',
    books: '/dashboard/books',
    'books-of-campaign': `/dashboard/books?owner=${ids.campaign}&upTo=200`,
    'system-settings': '/dashboard/system-settings',
    waitlist: '/dashboard/waitlist',
  }),
}

export const screensOf = (viewer: Viewer, ids: Ids): Screens => screens[viewer](ids)
