/** The one builder of links inside the app. Screens never write an address by hand. */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  dashboard: '/dashboard',
  campaigns: '/dashboard/campaigns',
  campaignCreate: '/dashboard/campaigns/create',
  campaignsPending: '/dashboard/campaigns/pending',
  campaign: (id: string) => `/dashboard/campaigns/${encodeURIComponent(id)}`,
  campaignEdit: (id: string) => `/dashboard/campaigns/${encodeURIComponent(id)}/edit`,
  myTests: '/dashboard/my-tests',
  balance: '/dashboard/balance',
  payments: '/dashboard/payments',
  waitlist: '/dashboard/waitlist',
  fraud: '/dashboard/fraud',
  users: '/dashboard/users',
  analytics: '/dashboard/analytics',
  auditLog: '/dashboard/audit-log',
  systemSettings: '/dashboard/system-settings',
  /** A developer's own figures: a section of the dashboard. */
  ownAnalytics: '/dashboard#analytics',
} as const
