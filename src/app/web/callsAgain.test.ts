/** How long the page keeps an answer, and when it asks again on its own. */
import { expect, test } from 'vitest'
import { clock, hoursAfter } from '../../kit/clock.ts'
import { pageAsks, type Question } from '../../testing/web/pageAsks.ts'

pageAsks()
const dashboards = await import('../../dashboards/web/calls.ts')
const fraud = await import('../../fraud/web/calls.ts')
const ledger = await import('../../ledger/web/calls.ts')
const nda = await import('../../nda/web/calls.ts')
const notifications = await import('../../notifications/web/calls.ts')
const operations = await import('../../operations/web/calls.ts')
const papers = await import('../../ledger/web/paperCalls.ts')
const { anyLine, noNotices, questions } = await import('../../testing/web/questions.ts')

test('figures are loaded again on every visit, unless a link has just preloaded them', () => {
  const recent = [dashboards.recentCampaignsQuery, dashboards.recentTestsQuery]
  const figures = [...questions.dashboards!.map(([, question]) => question), ...recent]
  for (const { staleTime } of figures) expect(staleTime).toBe(2000)
})

test('the text of a version of an NDA is never loaded again', () => {
  expect(nda.versionQuery('c1', 2).staleTime).toBe(Number.POSITIVE_INFINITY)
})

const [done, pending] = [{ status: 'COMPLETED' }, { status: 'PENDING' }]
const { transactionsQuery, summaryQuery, balanceQuery } = ledger
const { notificationsQuery, groupsQuery } = notifications
const statement = transactionsQuery(anyLine)

const intervals = {
  never: false,
  'every second': 1000,
  'every 2 seconds': 2000,
  'every 3 seconds': 3000,
  'every 15 seconds': 15_000,
  'every minute': 60_000,
  'every 5 minutes': 300_000,
} as const

test.each<[string, keyof typeof intervals, Question, unknown]>([
  ['a statement that is not there yet', 'never', statement, undefined],
  ['a statement', 'never', statement, { data: [done] }],
  ['a statement with a line on the way', 'every 3 seconds', statement, { data: [done, pending] }],
  ['totals that are not there yet', 'never', summaryQuery, undefined],
  ['totals', 'never', summaryQuery, { onTheWayBackCents: 0, paymentsOnTheWay: [] }],
  [
    'totals with money on the way back',
    'every 3 seconds',
    summaryQuery,
    { onTheWayBackCents: 1, paymentsOnTheWay: [] },
  ],
  [
    'totals with a payment on its way',
    'every 3 seconds',
    summaryQuery,
    { onTheWayBackCents: 0, paymentsOnTheWay: [{ isUnfinished: false, createdAt: hoursAfter(clock.now(), -0.5) }] },
  ],
  [
    'totals with a payment that a bank takes days to collect',
    'never',
    summaryQuery,
    { onTheWayBackCents: 0, paymentsOnTheWay: [{ isUnfinished: false, createdAt: hoursAfter(clock.now(), -2) }] },
  ],
  ['a balance that is not there yet', 'never', balanceQuery, undefined],
  ['a balance', 'never', balanceQuery, { onTheWayCents: 0, recentTransactions: [done] }],
  ['a balance with money on the way', 'every 3 seconds', balanceQuery, { onTheWayCents: 1, recentTransactions: [] }],
  [
    'a balance with a line on the way',
    'every 3 seconds',
    balanceQuery,
    { onTheWayCents: 0, recentTransactions: [pending] },
  ],
  ['a payout advice that is not there yet', 'never', papers.payoutAdviceQuery('w1'), undefined],
  ['a payout advice', 'never', papers.payoutAdviceQuery('w1'), done],
  ['a payout advice on the way', 'every 3 seconds', papers.payoutAdviceQuery('w1'), pending],
  ['figures of fraud that are not there yet', 'never', fraud.statsQuery, undefined],
  ['the figures of fraud', 'never', fraud.statsQuery, { runningScan: null }],
  ['the figures of fraud during a scan', 'every second', fraud.statsQuery, { runningScan: { id: 's1' } }],
  ['how the product runs, before it is there', 'every 15 seconds', operations.operationsQuery, undefined],
  ['how the product runs', 'every 15 seconds', operations.operationsQuery, { checkingSince: null }],
  [
    'how the product runs during checks',
    'every 2 seconds',
    operations.operationsQuery,
    { checkingSince: '2026-05-01' },
  ],
  ['what needs doing', 'every 5 minutes', dashboards.needsQuery, {}],
  ['the bell', 'every minute', notificationsQuery, {}],
  ['the center', 'every minute', groupsQuery(noNotices), {}],
])('the page asks again for %s: %s', (_, when, { refetchInterval }, data) => {
  const interval = typeof refetchInterval === 'function' ? refetchInterval({ state: { data } }) : refetchInterval
  expect(interval).toBe(intervals[when])
})
