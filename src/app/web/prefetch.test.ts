import { matchPath } from 'react-router'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { stubLocalStorage } from '../../testing/localStorage.ts'
import { type Role, roles } from '../../kit/roles.ts'

vi.stubGlobal('addEventListener', () => {})
stubLocalStorage()
const logged = vi.spyOn(console, 'error').mockImplementation(() => {})

const { provideCalls } = await import('../../kit/web/api.ts')
const { endpointTable } = await import('./endpointTable.ts')
provideCalls(endpointTable)
const { queryClient } = await import('../../kit/web/query.ts')
const { session } = await import('../../kit/web/session.ts')
const { participationKeys } = await import('../../participations/web/keys.ts')
const { prefetchScreen, screens } = await import('./prefetch.ts')

const asked: string[] = []
vi.stubGlobal('fetch', (path: string, { method }: { method: string }) => {
  expect(method).toBe('GET')
  asked.push(path.replace('/api/v1', ''))
  // A refusal is not retried.
  return Promise.resolve(Response.json({ message: 'Not here.' }, { status: 404 }))
})

const signIn = (role: Role) =>
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 'u1', email: 'u1@example.com', name: 'Uma', role },
  })

beforeEach(() => {
  queryClient.clear()
  asked.length = 0
})
afterAll(() => {
  queryClient.clear()
  logged.mockRestore()
  vi.unstubAllGlobals()
})

/** Notifications, which every screen loads for the bell. */
const frame = '/users/me/notifications?limit=20'
const askedFor = async (role: Role, address: string) => {
  signIn(role)
  const { pathname, search } = new URL(address, 'http://localhost')
  asked.length = 0
  await prefetchScreen({ pathname, search })
  return asked
}

const everybody = roles
const developer: Role[] = ['DEVELOPER']
const tester: Role[] = ['TESTER']
const admin: Role[] = ['ADMIN']
const reviewers: Role[] = ['DEVELOPER', 'ADMIN']
const paid: Role[] = ['DEVELOPER', 'TESTER']

const cases: [readonly Role[], string, string[]][] = [
  [developer, '/dashboard', ['/dashboard/needs', '/dashboard/developer', '/campaigns?limit=5']],
  [tester, '/dashboard', ['/users/me', '/dashboard/needs', '/dashboard/tester', '/testers/my-campaigns?limit=5']],
  [admin, '/dashboard', ['/dashboard/needs', '/admin/stats']],
  [reviewers, '/dashboard/campaigns', ['/campaigns?limit=24']],
  [reviewers, '/dashboard/campaigns?search=ab&status=LIVE', ['/campaigns?search=ab&status=LIVE&limit=24']],
  [tester, '/dashboard/campaigns?search=ab&status=LIVE', ['/campaigns/available?search=ab&limit=24', '/users/me']],
  [
    admin,
    '/dashboard/campaigns/pending',
    ['/admin/campaigns/pending?limit=20', '/admin/campaigns/pending-links?limit=20', '/dashboard/needs'],
  ],
  [developer, '/dashboard/campaigns/create', ['/campaigns/new-terms']],
  [reviewers, '/dashboard/campaigns/c1', ['/campaigns/c1']],
  [tester, '/dashboard/campaigns/c1', ['/campaigns/c1', '/users/me']],
  [tester, '/dashboard/campaigns/c1?tab=bugs', ['/campaigns/c1', '/users/me']],
  [reviewers, '/dashboard/campaigns/c1?tab=overview', ['/campaigns/c1']],
  [reviewers, '/dashboard/campaigns/c1?tab=testers', ['/campaigns/c1', '/campaigns/c1/testers']],
  [reviewers, '/dashboard/campaigns/c1?tab=list', ['/campaigns/c1']],
  [reviewers, '/dashboard/campaigns/c1?tab=bugs', ['/campaigns/c1', '/campaigns/c1/bugs?limit=50']],
  [
    reviewers,
    '/dashboard/campaigns/c1?tab=bugs&status=OPEN',
    ['/campaigns/c1', '/campaigns/c1/bugs?status=OPEN&limit=50'],
  ],
  [reviewers, '/dashboard/campaigns/c1?tab=changes', ['/campaigns/c1', '/campaigns/c1/changes']],
  [reviewers, '/dashboard/campaigns/c1?tab=feedback', ['/campaigns/c1', '/campaigns/c1/feedback-form']],
  [reviewers, '/dashboard/campaigns/c1?tab=activity', ['/campaigns/c1', '/campaigns/c1/activity?limit=30']],
  [developer, '/dashboard/campaigns/c1/edit', ['/campaigns/c1']],
  [developer, '/dashboard/campaigns/c1/feedback-form', ['/campaigns/c1', '/campaigns/c1/feedback-form']],
  [reviewers, '/dashboard/campaigns/c1/review', ['/campaigns/c1', '/campaigns/c1/testers?status=SUBMITTED']],
  [reviewers, '/dashboard/campaigns/c1/report', ['/campaigns/c1/report']],
  [tester, '/dashboard/my-tests', ['/testers/my-campaigns']],
  [[...tester, ...admin], '/dashboard/campaigns/c1/nda', ['/campaigns/c1/nda']],
  [tester, '/dashboard/my-tests/t1/report-bug', ['/testers/campaign-testers/t1']],
  [tester, '/dashboard/my-tests/t1', ['/testers/campaign-testers/t1']],
  [tester, '/dashboard/balance', ['/users/me', '/testers/balance']],
  [
    tester,
    '/dashboard/balance?page=3',
    ['/users/me', '/testers/balance', '/users/me/transactions?page=3&limit=20&type=DEBIT%2CCREDIT%2CPAYOUT'],
  ],
  [tester, '/dashboard/balance/withdrawals/w1', ['/users/me/withdrawals/w1', '/users/me']],
  [developer, '/dashboard/payments/p1', ['/users/me/payments/p1', '/users/me']],
  [developer, '/dashboard/payments/refunds/r1', ['/users/me/refunds/r1', '/users/me']],
  [
    developer,
    '/dashboard/payments',
    ['/users/me', '/users/me/payments/summary', '/users/me/transactions?limit=20&type=DEBIT%2CCREDIT%2CPAYOUT'],
  ],
  [paid, '/dashboard/statements', ['/users/me/papers']],
  [paid, '/dashboard/statements/2026-10', ['/users/me/statement?month=2026-10']],
  [paid, '/dashboard/statements/years/2026', ['/users/me/year-summary?year=2026']],
  [admin, '/dashboard/analytics', ['/admin/analytics?period=6m']],
  [admin, '/dashboard/analytics?period=12m', ['/admin/analytics?period=12m']],
  [everybody, '/dashboard/bugs/b1', ['/bugs/b1']],
  [admin, '/dashboard/disputes/d1', ['/admin/disputes/d1']],
  [admin, '/dashboard/appeals/a1', ['/admin/appeals/a1']],
  [admin, '/dashboard/users', ['/admin/users/counts', '/admin/users?page=1&limit=20']],
  [
    admin,
    '/dashboard/users?search=ab&role=TESTER&page=3',
    ['/admin/users/counts', '/admin/users?search=ab&role=TESTER&page=3&limit=20'],
  ],
  [admin, '/dashboard/users/security', ['/admin/security']],
  [admin, '/dashboard/users/u9', ['/admin/users/u9']],
  [
    admin,
    '/dashboard/fraud?search=ab&page=3',
    ['/admin/fraud-reports/stats', '/admin/fraud-reports?search=ab&page=3&limit=50'],
  ],
  [admin, '/dashboard/audit-log?page=3', ['/admin/audit-log?page=3&limit=50']],
  [admin, '/dashboard/waitlist?search=ab', ['/admin/waitlist?search=ab&page=1&limit=20']],
  [admin, '/dashboard/operations', ['/admin/operations']],
  [admin, '/dashboard/books', ['/admin/ledger/accounts']],
  [admin, '/dashboard/system-settings', ['/admin/settings']],
  [everybody, '/dashboard/settings', ['/users/me']],
  [everybody, '/dashboard/notifications', ['/users/me/notification-groups?limit=20']],
  [
    everybody,
    '/dashboard/notifications?show=unread&campaign=c1',
    ['/users/me/notification-groups?limit=20&unread=true&campaignId=c1'],
  ],
  [everybody, '/dashboard/notifications/choices', ['/users/me/notification-choices']],
]

test.each([
  ['opt-ins', '/admin/campaign-testers/contested?limit=20'],
  ['appeals', '/admin/appeals?limit=20'],
  ['rejections', '/admin/rejections?limit=20'],
  ['payouts', '/admin/payouts?limit=20'],
  ['refunds', '/admin/stuck-refunds?limit=20'],
  ['disputes', '/admin/disputes?limit=20&status=OPEN'],
  ['escrow', '/admin/escrow?limit=20'],
])('of the pending approvals, the list %s is requested if the address names it', async (list, own) => {
  const [, first] = await askedFor('ADMIN', `/dashboard/campaigns/pending?list=${list}`)
  expect(first).toBe(own)
})

test.each(cases)('%s, %s: what is shown first is requested', async (may, address, own) => {
  for (const role of may) {
    queryClient.clear()
    expect([role, await askedFor(role, address)]).toEqual([role, [frame, ...own]])
  }
})

const byPathname = Map.groupBy(cases, ([, address]) => address.replace(/\?.*/, ''))

test.each([...byPathname])('%s: nothing is requested for those who may not open it', async (pathname, ofIt) => {
  for (const role of roles.filter(one => !ofIt.some(([may]) => may.includes(one))))
    expect([role, await askedFor(role, pathname)]).toEqual([role, []])
})

test('each screen that requests something is in the table above', () => {
  const pathnames = [...byPathname.keys()]
  for (const [place, { path }] of screens.entries()) {
    const before = screens.slice(0, place)
    const own = pathnames.filter(
      pathname => matchPath(path, pathname) && !before.some(other => matchPath(other.path, pathname)),
    )
    expect([path, own.length > 0]).toEqual([path, true])
  }
})

test('nothing is requested for an address without a screen, nor for a visitor', async () => {
  signIn('TESTER')
  await prefetchScreen({ pathname: '/dashboard/nowhere', search: '' })
  session.clear()
  await prefetchScreen({ pathname: '/dashboard/settings', search: '' })
  expect(asked).toEqual([])
})

test.each([
  ['DEVELOPER', '', {}, ['testers?status=SUBMITTED', 'continuity']],
  ['ADMIN', '', {}, ['testers?status=SUBMITTED', 'continuity']],
  ['DEVELOPER', '', { status: 'COMPLETED' }, ['testers?status=SUBMITTED', 'continuity']],
  ['DEVELOPER', '', { status: 'CANCELLED' }, []],
  ['DEVELOPER', '', { status: 'PENDING_APPROVAL' }, []],
  ['DEVELOPER', '?tab=changes', {}, ['changes']],
  ['DEVELOPER', '?tab=list', { accessMode: 'EMAIL_LIST' }, ['tester-list']],
  ['DEVELOPER', '?tab=list', { accessMode: 'GOOGLE_GROUP' }, ['tester-list']],
  ['DEVELOPER', '?tab=list', { accessMode: 'OPEN_LINK' }, []],
  ['ADMIN', '?tab=list', { accessMode: 'EMAIL_LIST' }, []],
] as const)('what only some campaigns have is requested with the answer: %s %s %o', async (role, part, but, own) => {
  const campaign = { id: 'c1', status: 'LIVE', ...but }
  const network = vi.spyOn(globalThis, 'fetch').mockImplementation(input => {
    asked.push((input as string).replace('/api/v1', ''))
    return Promise.resolve(Response.json(asked.at(-1) === '/campaigns/c1' ? campaign : []))
  })
  const all = await askedFor(role, `/dashboard/campaigns/c1${part}`)
  expect(all).toEqual([frame, '/campaigns/c1', ...own.map(one => `/campaigns/c1/${one}`)])
  network.mockRestore()
})

test('whether a tester may join is known before the campaigns are drawn', async () => {
  const campaign = {
    id: 'c1',
    platform: 'android',
    developer: { id: 'd1' },
    participation: null,
    actions: ['join'],
    filters: { countries: ['Germany'], minAndroidVersion: null, minIOSVersion: null },
  }
  const answers: Record<string, unknown> = {
    '/users/me': { country: 'PT' },
    '/campaigns/c1': campaign,
    '/campaigns/available': [campaign],
  }
  const network = vi.spyOn(globalThis, 'fetch').mockImplementation(input => {
    const { pathname, search } = new URL(input as string, 'http://localhost')
    asked.push(pathname.replace('/api/v1', '') + search)
    return Promise.resolve(Response.json(answers[pathname.replace('/api/v1', '')] ?? []))
  })
  signIn('TESTER')
  for (const pathname of ['/dashboard/campaigns', '/dashboard/campaigns/c1']) {
    queryClient.clear()
    asked.length = 0
    await prefetchScreen({ pathname, search: '' })
    // How its developer reviews is asked for as well, and shown when it is known.
    await vi.waitFor(() => expect(asked).toContain('/developers/reputation?ids=d1'))
    const [, found] = queryClient.getQueriesData({ queryKey: participationKeys.all }).find(([, data]) => data) ?? []
    expect([pathname, found]).toMatchObject([pathname, { obstacle: { because: 'COUNTRY' } }])
  }
  network.mockRestore()
})
