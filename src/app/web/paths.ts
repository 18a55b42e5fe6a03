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
} as const
