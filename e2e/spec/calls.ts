/** Spec §7: every call, with the fields that the spec gives its payload, its query and its answer. */

type Call = { call: string; body?: string[]; query?: string[]; answer?: string[]; list?: true }

const campaignFields = [
  'title',
  'description',
  'platform',
  'distributionLink',
  'testersRequired',
  'payPerTesterCents',
  'durationDays',
  'filters',
]

/** Spec §3, as answered by `GET /campaigns/{id}`. */
const campaign = [...campaignFields, 'id', 'startDate', 'endDate', 'status', 'fundedCents', 'feeCents', '_count']

export const calls: Call[] = [
  { call: 'POST /auth/login', body: ['email', 'password'], answer: ['accessToken', 'refreshToken', 'user'] },
  {
    call: 'POST /auth/register',
    body: ['email', 'password', 'role', 'name'],
    answer: ['accessToken', 'refreshToken', 'user'],
  },
  { call: 'POST /auth/refresh', body: ['refreshToken'], answer: ['accessToken', 'refreshToken'] },
  { call: 'POST /auth/logout', body: ['userId'] },
  { call: 'GET /campaigns', list: true, answer: campaign },
  { call: 'GET /campaigns/{id}', answer: campaign },
  { call: 'POST /campaigns', body: campaignFields, answer: ['id'] },
  { call: 'PATCH /campaigns/{id}', body: campaignFields },
  { call: 'POST /campaigns/{id}/fund', body: ['amountCents'] },
  { call: 'POST /campaigns/{id}/start' },
  { call: 'POST /campaigns/{id}/cancel' },
  { call: 'GET /campaigns/available', list: true, answer: campaign },
  { call: 'POST /testers/campaigns/{id}/join', body: ['deviceInfo'] },
  { call: 'POST /testers/campaign-testers/{id}/proof', body: ['proof'] },
  { call: 'GET /testers/my-campaigns', list: true, answer: ['id', 'status', 'payoutAmountCents', 'campaign'] },
  { call: 'GET /testers/balance', answer: ['balanceCents', 'recentTransactions'] },
  { call: 'POST /testers/withdraw', body: ['amountCents'] },
  { call: 'GET /users/me', answer: ['id', 'email', 'name', 'role'] },
  { call: 'PATCH /users/me' },
  { call: 'GET /users/me/transactions', query: ['page', 'limit'], answer: ['data'] },
  { call: 'GET /admin/campaigns/pending', list: true, answer: campaign },
  { call: 'POST /admin/campaigns/{id}/approve' },
  { call: 'POST /admin/campaigns/{id}/reject', body: ['reason'] },
  { call: 'POST /admin/users/{id}/ban', body: ['reason'] },
  { call: 'GET /admin/fraud-reports', query: ['page', 'limit', 'severity'], answer: ['data'] },
  { call: 'GET /admin/fraud-reports/stats' },
  { call: 'POST /admin/fraud-reports/{id}/resolve', body: ['resolution', 'adminId'] },
  { call: 'POST /admin/fraud-reports/{id}/dismiss', body: ['reason', 'adminId'] },
  { call: 'POST /admin/fraud-scan/trigger' },
  { call: 'POST /admin/fraud-reports/generate-samples' },
  { call: 'DELETE /admin/fraud-reports/clear' },
  { call: 'GET /admin/stats', answer: ['totalUsers', 'totalCampaigns', 'totalRevenueCents'] },
  { call: 'GET /admin/users', query: ['page', 'limit'], answer: ['data'] },
]

/** Page sizes of spec §9, by the list, for calls that name none. */
export const pageSizes = {
  '/users/me/transactions': { as: 'TESTER', page: 1, limit: 20 },
  '/admin/fraud-reports': { as: 'ADMIN', page: 1, limit: 50 },
  '/admin/users': { as: 'ADMIN', page: 1, limit: 20 },
} as const
