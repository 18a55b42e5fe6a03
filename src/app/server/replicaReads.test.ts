import { expect, test } from 'vitest'
import { bodyOf } from '../../kit/schemas.ts'
import { apiTables } from './routes.ts'

const endpoints = Object.entries(apiTables).flatMap(([table, entries]) =>
  Object.entries(entries).map(([name, endpoint]) => ({ name: `${table}.${name}`, endpoint })),
)
const marked = endpoints.filter(({ endpoint }) => 'replica' in endpoint)

/** Answers that decisions about money, access or permissions depend on. */
const decides =
  /auth|session|second-factor|passkey|balance|withdraw|payments|refunds|settings|consent|join-form|day-code|attachments|events|security|operations|tester-list|users\/me$/

test('standbys answer only reads of signed-in users, and none that a decision depends on', () => {
  for (const { name, endpoint } of marked) {
    expect([name, endpoint.method, 'live' in endpoint, 'stepUp' in endpoint]).toEqual([name, 'GET', false, false])
    expect([name, endpoint.access]).not.toEqual([name, 'PUBLIC'])
    expect(endpoint.path).not.toMatch(decides)
  }
})

test('none of them returns what lets somebody in', () => {
  for (const { endpoint } of marked) {
    const names = JSON.stringify(bodyOf(endpoint)?.toJSONSchema({ unrepresentable: 'any', io: 'output' }) ?? {})
    expect(names).not.toMatch(/"(accessToken|refreshToken|challenge|recoveryCodes|secret)"/)
  }
})

/** Reviewed one by one. Excludes what somebody may lose access to, such as a tester's view of a campaign that they have left. */
test('these are read from standbys', () => {
  const paths: string[] = marked.map(({ endpoint }) => endpoint.path)
  expect(paths.toSorted()).toEqual([
    '/admin/analytics',
    '/admin/appeals',
    '/admin/audit-log',
    '/admin/campaign-testers/contested',
    '/admin/campaigns/pending',
    '/admin/campaigns/pending-links',
    '/admin/fraud-reports',
    '/admin/fraud-reports/stats',
    '/admin/rejections',
    '/admin/revenue',
    '/admin/stats',
    '/admin/users',
    '/admin/users/counts',
    '/admin/waitlist',
    '/campaigns',
    '/campaigns/:id/activity',
    '/campaigns/:id/bugs.csv',
    '/campaigns/:id/bugs.md',
    '/campaigns/:id/continuity',
    '/campaigns/:id/feedback',
    '/campaigns/:id/feedback.csv',
    '/campaigns/:id/nda/acceptances',
    '/campaigns/:id/report',
    '/campaigns/:id/report.csv',
    '/campaigns/:id/report.pdf',
    '/campaigns/:id/testers',
    '/campaigns/:id/testers/reputation',
    '/campaigns/available',
    '/dashboard/developer',
    '/dashboard/developer/analytics',
    '/dashboard/needs',
    '/dashboard/tester',
    '/developers/reputation',
    '/testers/my-campaigns',
    '/users/me/export',
    '/users/me/notification-groups',
    '/users/me/notifications',
    '/users/me/papers',
    '/users/me/reputation',
    '/users/me/statement',
    '/users/me/statement.pdf',
    '/users/me/statement/lines',
    '/users/me/transactions',
    '/users/me/transactions.csv',
    '/users/me/year-summary',
    '/users/me/year-summary.pdf',
  ])
})
