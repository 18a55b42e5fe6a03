/** What the page asks the server for, question by question, and what of the answers it keeps, asks again or gives up. */
import { hashKey, type QueryKey } from '@tanstack/react-query'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { Campaign } from '../../campaigns/contract.ts'
import type { Nda } from '../../nda/contract.ts'

vi.stubGlobal('addEventListener', () => {})
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
const logged = vi.spyOn(console, 'error').mockImplementation(() => {})

const { provideCalls } = await import('../../kit/web/api.ts')
const { provideFollows, queryClient } = await import('../../kit/web/query.ts')
const { endpointTable } = await import('./endpointTable.ts')
const audit = await import('../../audit/web/calls.ts')
const books = await import('../../books/web/calls.ts')
const bugs = await import('../../bugs/web/calls.ts')
const campaigns = await import('../../campaigns/web/calls.ts')
const changes = await import('../../changes/web/calls.ts')
const continuity = await import('../../continuity/web/calls.ts')
const dashboards = await import('../../dashboards/web/calls.ts')
const disputes = await import('../../ledger/web/disputeCalls.ts')
const escrow = await import('../../campaigns/web/escrowCalls.ts')
const feedback = await import('../../feedback/web/calls.ts')
const fraud = await import('../../fraud/web/calls.ts')
const landing = await import('../../landing/web/calls.ts')
const ledger = await import('../../ledger/web/calls.ts')
const nda = await import('../../nda/web/calls.ts')
const notifications = await import('../../notifications/web/calls.ts')
const operations = await import('../../operations/web/calls.ts')
const papers = await import('../../ledger/web/paperCalls.ts')
const participations = await import('../../participations/web/calls.ts')
const people = await import('../../people/web/calls.ts')
const reports = await import('../../reports/web/calls.ts')
const reputation = await import('../../reputation/web/calls.ts')
const settings = await import('../../settings/web/calls.ts')
const stuckRefunds = await import('../../ledger/web/stuckRefundCalls.ts')
const testerLists = await import('../../testerLists/web/calls.ts')

type Question = {
  queryKey: QueryKey
  queryFn?: unknown
  getNextPageParam?: unknown
  placeholderData?: unknown
  refetchInterval?: unknown
  staleTime?: unknown
}
type Sent = { method: string; address: string; signal: AbortSignal | undefined }

let sent: Sent[] = []
let answer: (address: string) => Response

/** Without a body of its own each list is empty. */
const empty = (address: string) => Response.json(address.endsWith('/feedback') ? { questions: [] } : [])
const answerWith = (body: unknown, status = 200) => {
  answer = () => Response.json(body, { status })
}

/** Below the base, with what follows the question mark in the order of its names. */
const tidy = (address: string) => {
  const { pathname, searchParams } = new URL(address.replace('/api/v1', ''), 'http://localhost')
  searchParams.sort()
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}

const ask = ({ queryFn }: Question, pageParam?: string, signal = new AbortController().signal) =>
  (queryFn as (at: { signal: AbortSignal; pageParam: string | undefined }) => Promise<unknown>)({ signal, pageParam })

const asked = () => sent.map(({ method, address }) => (method === 'GET' ? '' : `${method} `) + tidy(address))

beforeEach(() => {
  provideCalls(endpointTable)
  provideFollows({})
  queryClient.clear()
  vi.stubGlobal('fetch', async (address: string, { method, signal }: { method: string; signal?: AbortSignal }) => {
    sent.push({ method, address, signal })
    return answer(address)
  })
  sent = []
  answer = empty
})
afterAll(() => {
  provideFollows({})
  queryClient.clear()
  logged.mockRestore()
  vi.unstubAllGlobals()
})

const first = { page: 1 }
const beyond = { page: 9, cursor: 'x' }
const noCampaignFilters = { search: '', platform: null, status: null, sort: 'newest' } as const
const campaignFilters = { search: 'no', platform: 'ios', status: 'LIVE', sort: 'highestPay' } as const
const anyLine = { type: null, status: null, campaign: null, at: null }
const noNotices = { show: null, kind: null, campaign: '' }

/** By the slice whose answers they hold: what is shown, the question, and what it asks for. */
const questions: Record<string, [shown: string, question: Question, address: string][]> = {
  audit: [
    ['the log', audit.auditLogQuery({ action: null, admin: '' }, first), '/admin/audit-log?page=1&limit=50'],
    [
      'what an admin did of one kind, far down',
      audit.auditLogQuery({ action: 'campaign.approve', admin: 'ann' }, beyond),
      '/admin/audit-log?action=campaign.approve&admin=ann&page=9&cursor=x&limit=50',
    ],
  ],
  books: [
    ['the accounts of the platform', books.accountsQuery(''), '/admin/ledger/accounts'],
    ['the accounts of a user', books.accountsQuery('u1'), '/admin/ledger/accounts?ownerId=u1'],
    ['an account', books.accountQuery(7, null), '/admin/ledger/account?account=7'],
    ['an account as it was', books.accountQuery(7, 0), '/admin/ledger/account?account=7&upTo=0'],
    ['the transfers of an account', books.statementPages(7, null), '/admin/ledger/transfers?account=7&limit=50'],
    ['its first transfers', books.statementPages(7, 30), '/admin/ledger/transfers?account=7&upTo=30&limit=50'],
  ],
  bugs: [
    ['all bugs of a campaign', bugs.bugPages('c1'), '/campaigns/c1/bugs?limit=50'],
    [
      'its bugs without a filter',
      bugs.bugPages('c1', { search: '', status: null, severity: null }),
      '/campaigns/c1/bugs?limit=50',
    ],
    [
      'its bugs of one kind',
      bugs.bugPages('c1', { search: 'no', status: 'OPEN', severity: 'HIGH' }),
      '/campaigns/c1/bugs?search=no&status=OPEN&severity=HIGH&limit=50',
    ],
    ['a bug', bugs.bugQuery('b1'), '/bugs/b1'],
    [
      'bugs like the one being written',
      bugs.similarQuery('c1', 'It shuts'),
      '/campaigns/c1/similar-bugs?title=It+shuts',
    ],
    [
      'the bugs that a change can answer',
      changes.undecidedQuery('c1'),
      '/campaigns/c1/bugs?status=OPEN and /campaigns/c1/bugs?status=CONFIRMED',
    ],
  ],
  campaigns: [
    ['campaigns', campaigns.campaignPages('DEVELOPER', noCampaignFilters), '/campaigns?limit=24'],
    [
      'chosen campaigns',
      campaigns.campaignPages('ADMIN', campaignFilters),
      '/campaigns?search=no&platform=ios&status=LIVE&sort=highestPay&limit=24',
    ],
    ['campaigns to join', campaigns.campaignPages('TESTER', noCampaignFilters), '/campaigns/available?limit=24'],
    [
      'chosen campaigns to join, whatever their status',
      campaigns.campaignPages('TESTER', campaignFilters),
      '/campaigns/available?search=no&platform=ios&sort=highestPay&limit=24',
    ],
    [
      'campaigns to join in an order that only others have',
      campaigns.campaignPages('TESTER', { ...noCampaignFilters, search: 'so', sort: 'oldest' }),
      '/campaigns/available?search=so&limit=24',
    ],
    ['new campaigns', campaigns.pendingPages, '/admin/campaigns/pending?limit=20'],
    ['changed links', campaigns.pendingLinkPages, '/admin/campaigns/pending-links?limit=20'],
    ['money long in escrow', escrow.escrowPages, '/admin/escrow?limit=20'],
    ['the newest campaigns', dashboards.recentCampaignsQuery, '/campaigns?limit=5'],
    ['a campaign', campaigns.campaignQuery('c1'), '/campaigns/c1'],
    ['the terms of a new campaign', campaigns.newTermsQuery, '/campaigns/new-terms'],
  ],
  changes: [
    ['the versions of an app', changes.versionsQuery('c1'), '/campaigns/c1/changes'],
    ['what testers wrote', changes.writtenQuery('c1'), '/campaigns/c1/feedback'],
  ],
  dashboards: [
    ['what needs doing', dashboards.needsQuery, '/dashboard/needs'],
    ['a developer’s figures', dashboards.developerFiguresQuery, '/dashboard/developer'],
    ['a developer’s analytics', dashboards.developerAnalyticsQuery, '/dashboard/developer/analytics'],
    ['a tester’s figures', dashboards.testerFiguresQuery, '/dashboard/tester'],
    ['the platform’s figures', dashboards.statsQuery, '/admin/stats'],
    ['the analytics of a period', dashboards.analyticsQuery('30d'), '/admin/analytics?period=30d'],
    ['the revenue', dashboards.revenueLinesQuery('6m', first), '/admin/revenue?period=6m&page=1&limit=20'],
    [
      'the revenue, far down',
      dashboards.revenueLinesQuery('all', beyond),
      '/admin/revenue?period=all&page=9&cursor=x&limit=20',
    ],
  ],
  feedback: [
    ['a feedback form', feedback.formQuery('c1'), '/campaigns/c1/feedback-form'],
    ['the answers to it', feedback.resultsQuery('c1', {}), '/campaigns/c1/feedback'],
    [
      'the answers from one device',
      feedback.resultsQuery('c1', { device: 'Pixel 9', osVersion: '16' }),
      '/campaigns/c1/feedback?device=Pixel+9&osVersion=16',
    ],
  ],
  fraud: [
    ['the figures of fraud', fraud.statsQuery, '/admin/fraud-reports/stats'],
    [
      'fraud reports',
      fraud.reportsQuery({ search: '', severity: null, status: null }, first),
      '/admin/fraud-reports?page=1&limit=50',
    ],
    [
      'fraud reports of one kind, far down',
      fraud.reportsQuery({ search: 'ann', severity: 'LOW', status: 'OPEN' }, beyond),
      '/admin/fraud-reports?search=ann&severity=LOW&status=OPEN&page=9&cursor=x&limit=50',
    ],
  ],
  landing: [
    ['the waitlist', landing.waitlistQuery({ search: '', role: null }, first), '/admin/waitlist?page=1&limit=20'],
    [
      'testers on the waitlist, far down',
      landing.waitlistQuery({ search: 'ann', role: 'tester' }, beyond),
      '/admin/waitlist?search=ann&role=tester&page=9&cursor=x&limit=20',
    ],
  ],
  ledger: [
    [
      'a statement, a payment as one line',
      ledger.transactionsQuery(anyLine),
      '/users/me/transactions?type=DEBIT%2CCREDIT%2CPAYOUT&limit=20',
    ],
    [
      'payments with their fees, each as one line',
      ledger.transactionsQuery({ ...anyLine, type: 'DEBIT,FEE', at: first }),
      '/users/me/transactions?type=DEBIT&page=1&limit=20',
    ],
    [
      'fees of a campaign that are on the way',
      ledger.transactionsQuery({ type: 'FEE', status: 'PENDING', campaign: 'c1', at: beyond }),
      '/users/me/transactions?type=FEE&status=PENDING&campaignId=c1&page=9&cursor=x&limit=20',
    ],
    ['payouts that wait', ledger.approvalPages, '/admin/payouts?limit=20'],
    ['a developer’s totals', ledger.summaryQuery, '/users/me/payments/summary'],
    ['a tester’s balance', ledger.balanceQuery, '/testers/balance'],
    ['where withdrawals go', ledger.payoutAccountQuery, '/testers/payout-account'],
    ['open disputes', disputes.disputePages, '/admin/disputes?status=OPEN&limit=20'],
    ['a dispute', disputes.disputeQuery('d1'), '/admin/disputes/d1'],
    ['stuck refunds', stuckRefunds.stuckRefundPages, '/admin/stuck-refunds?limit=20'],
    ['papers', papers.papersQuery, '/users/me/papers'],
    ['a payout advice', papers.payoutAdviceQuery('w1'), '/users/me/withdrawals/w1'],
    ['the sums of a month', papers.statementQuery('2026-05'), '/users/me/statement?month=2026-05'],
    ['the lines of a month', papers.statementLinePages('2026-05'), '/users/me/statement/lines?month=2026-05'],
    ['a year', papers.yearSummaryQuery('2026'), '/users/me/year-summary?year=2026'],
  ],
  nda: [
    ['an NDA', nda.ndaQuery('c1'), '/campaigns/c1/nda'],
    ['a version of it', nda.versionQuery('c1', 2), '/campaigns/c1/nda/text?version=2'],
    ['who accepted it', nda.acceptancePages('c1'), '/campaigns/c1/nda/acceptances?limit=50'],
  ],
  notifications: [
    ['the bell', notifications.notificationsQuery, '/users/me/notifications?limit=20'],
    ['the center', notifications.groupsQuery(noNotices), '/users/me/notification-groups?limit=20'],
    [
      'unread notifications of one kind and campaign',
      notifications.groupsQuery({ show: 'unread', kind: 'PROOFS', campaign: 'c1' }),
      '/users/me/notification-groups?unread=true&topic=PROOFS&campaignId=c1&limit=20',
    ],
    ['what one is told of', notifications.choicesQuery, '/users/me/notification-choices'],
  ],
  operations: [['how the product runs', operations.operationsQuery, '/admin/operations']],
  participations: [
    ['all one’s tests', participations.myTestPages(null), '/testers/my-campaigns'],
    ['one’s verified tests', participations.myTestPages('VERIFIED'), '/testers/my-campaigns?status=VERIFIED'],
    ['one’s newest tests', dashboards.recentTestsQuery, '/testers/my-campaigns?limit=5'],
    ['a test', participations.ownTestQuery('p1'), '/testers/campaign-testers/p1'],
    ['the test that a bug is reported from', bugs.testQuery('p1'), '/testers/campaign-testers/p1'],
    ['the form due with a proof', participations.feedbackQuery('p1'), '/testers/campaign-testers/p1/feedback'],
    ['the feedback on a proof', participations.testFeedbackQuery('p1'), '/campaign-testers/p1/feedback'],
    ['the testers of a campaign', participations.rosterPages('c1', null), '/campaigns/c1/testers'],
    ['its testers of one status', participations.rosterPages('c1', 'ACTIVE'), '/campaigns/c1/testers?status=ACTIVE'],
    ['whether rejections need consent', participations.consentQuery, '/users/me/rejection-consent'],
    ['rejections that wait', participations.rejectionPages, '/admin/rejections?limit=20'],
    ['appeals that wait', participations.appealPages, '/admin/appeals?limit=20'],
    ['an appeal', participations.appealQuery('p1'), '/admin/appeals/p1'],
  ],
  people: [
    ['users', people.usersQuery({ search: '', role: null }, first), '/admin/users?page=1&limit=20'],
    [
      'testers of a name, far down',
      people.usersQuery({ search: 'ann', role: 'TESTER' }, beyond),
      '/admin/users?search=ann&role=TESTER&page=9&cursor=x&limit=20',
    ],
    ['how many users there are', people.countsQuery, '/admin/users/counts'],
    ['a user', people.userQuery('u1'), '/admin/users/u1'],
    ['how accounts are secured', people.securityQuery, '/admin/security'],
  ],
  reports: [['the report of a campaign', reports.reportQuery('c1'), '/campaigns/c1/report']],
  reputation: [
    ['the reputation of testers', reputation.testersQuery('c1'), '/campaigns/c1/testers/reputation'],
    [
      'the reputation of developers, each once',
      reputation.developersQuery(['d2', 'd1', 'd2']),
      '/developers/reputation?ids=d1%2Cd2',
    ],
    ['one’s own reputation', reputation.ownQuery, '/users/me/reputation'],
  ],
  settings: [['the settings', settings.settingsQuery, '/admin/settings']],
}

const rows = Object.entries(questions).flatMap(([slice, some]) =>
  some.map(([shown, question, address]) => ({ slice, shown, question, address })),
)
const isPaged = ({ question }: { question: Question }) => question.getNextPageParam !== undefined
const isNumbered = ({ address }: { address: string }) => /[?&]page=|\/transactions\?/.test(address)

test.each(rows)('to show $shown the page asks for $address', async ({ question, address }) => {
  await ask(question)
  expect(asked()).toEqual(address.split(' and ').map(tidy))
})

test.each(rows.filter(isPaged))('to show more of $shown it names where the next page begins', async row => {
  await ask(row.question, 'x2')
  expect(asked()).toEqual([tidy(`${row.address}${row.address.includes('?') ? '&' : '?'}cursor=x2`)])
})

test.each(rows.filter(isPaged))('of $shown there are more pages as long as an answer names one', ({ question }) => {
  const next = question.getNextPageParam as (last: object) => unknown
  expect(next({ items: [], nextCursor: 'x2' })).toBe('x2')
  expect(next({ items: [], nextCursor: null })).toBeUndefined()
})

test.each(rows)('the request for $shown is taken back when nobody waits for it', async ({ question }) => {
  const given = new AbortController()
  await ask(question, undefined, given.signal)
  given.abort()
  expect(sent.map(({ signal }) => signal?.aborted ?? false)).not.toContain(false)
})

test.each(rows)('the answer with $shown is kept under a key of $slice', ({ slice, question }) => {
  expect(question.queryKey[0]).toBe(slice)
})

test('two questions share a key only where they ask for the same', () => {
  const addresses = new Map<string, Set<string>>()
  for (const { question, address } of rows) {
    const key = hashKey(question.queryKey)
    addresses.set(key, (addresses.get(key) ?? new Set()).add(address))
  }
  expect([...addresses].filter(([, each]) => each.size > 1)).toEqual([])
})

test.each(rows.filter(isNumbered))(
  'for $shown a cursor that is none leads to an empty page; any other refusal is an error',
  async ({ question }) => {
    answerWith({ code: 'VALIDATION', message: 'No', fields: { cursor: 'This is no cursor.' } }, 400)
    expect(await ask(question)).toMatchObject({ data: [], total: 0, nextCursor: null })
    answerWith({ code: 'VALIDATION', message: 'No', fields: { search: 'Too long.' } }, 400)
    await expect(ask(question)).rejects.toMatchObject({ status: 400 })
  },
)

test('a list shows what it showed until what was chosen instead is there', () => {
  const keeps = ({ placeholderData: keep }: Question) => typeof keep === 'function' && keep('before') === 'before'
  const others = [
    'bugs like the one being written',
    'the analytics of a period',
    'the answers to it',
    'the answers from one device',
  ]
  const lists = rows.filter(row => (isPaged(row) && row.shown !== 'the bell') || isNumbered(row))
  const kept = rows.filter(({ question }) => keeps(question)).map(({ shown }) => shown)
  expect(kept.toSorted()).toEqual([...lists.map(({ shown }) => shown), ...others].toSorted())
})

test('of many developers the first hundred are asked about, as many as the server allows', async () => {
  const many = Array.from({ length: 130 }, (_, n) => `d${n + 100}`)
  await ask(reputation.developersQuery(many))
  expect(asked()).toEqual([`/developers/reputation?ids=${many.slice(0, 100).join('%2C')}`])
})

test('bugs like the one being written are asked for from its fourth letter', () => {
  expect(['Cra', 'Cras'].map(title => bugs.similarQuery('c1', title).enabled)).toEqual([false, true])
})

test('figures are asked for on every visit, but for those that a link began to load', () => {
  const recent = [dashboards.recentCampaignsQuery, dashboards.recentTestsQuery]
  const figures = [...questions.dashboards!.map(([, question]) => question), ...recent]
  for (const { staleTime } of figures) expect(staleTime).toBe(2000)
})

test('the text of a version of an NDA is never asked for again', () => {
  expect(nda.versionQuery('c1', 2).staleTime).toBe(Number.POSITIVE_INFINITY)
})

test('the newest campaigns and tests are kept without their page', async () => {
  answerWith([{ id: 'c1' }])
  expect(await ask(dashboards.recentCampaignsQuery)).toEqual([{ id: 'c1' }])
  expect(await ask(dashboards.recentTestsQuery)).toEqual([{ id: 'c1' }])
})

test('the bugs that a change can answer stand by number, whatever their status', async () => {
  answer = address => Response.json((address.endsWith('OPEN') ? [9, 2] : [10, 3]).map(number => ({ number })))
  expect(await ask(changes.undecidedQuery('c1'))).toEqual([2, 3, 9, 10].map(number => ({ number })))
})

test('what testers wrote is each quotation with its question', async () => {
  const wrote = (alias: string) => ({ testId: `of ${alias}`, alias, text: `I am ${alias}`, more: true })
  const quotations = [wrote('Tester 1'), wrote('Tester 2')]
  answerWith({
    questions: [
      { question: { id: 'q1', text: 'Why?', kind: 'TEXT' }, quotations },
      { question: { id: 'q2', text: 'How often?' }, quotations: [] },
      { question: { id: 'q3', text: 'When?' }, quotations: quotations.slice(1) },
    ],
  })
  const two = { testId: 'of Tester 2', alias: 'Tester 2', text: 'I am Tester 2' }
  expect(await ask(changes.writtenQuery('c1'))).toEqual([
    { testId: 'of Tester 1', alias: 'Tester 1', text: 'I am Tester 1', questionId: 'q1', question: 'Why?' },
    { ...two, questionId: 'q1', question: 'Why?' },
    { ...two, questionId: 'q3', question: 'When?' },
  ])
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
    { onTheWayBackCents: 0, paymentsOnTheWay: [{ isUnfinished: false }] },
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

const slices = [
  ...new Set([...Object.keys(questions), 'accounts', 'activity', 'attachments', 'continuity', 'tester-lists']),
]
const fill = (...keys: QueryKey[]) => {
  for (const key of keys) queryClient.setQueryData(key, { old: true })
}
const isOutOfDate = (key: QueryKey) => queryClient.getQueryState(key)?.isInvalidated

const campaign = { id: 'c1', title: 'Notes' } as Campaign
const agreed = { campaign: { id: 'c1' }, version: 2 } as unknown as Nda

test('the answer to an action is shown at once', () => {
  campaigns.afterAction(campaign)
  expect(queryClient.getQueryData(campaigns.campaignQuery('c1').queryKey)).toEqual(campaign)
  nda.afterChange(agreed)
  expect(queryClient.getQueryData(nda.ndaQuery('c1').queryKey)).toEqual(agreed)
})

test.each<[string, () => unknown, string]>([
  ['after an action on a campaign', () => campaigns.afterAction(campaign), 'audit campaigns ledger'],
  ['after a decision about escrow', escrow.afterEscrow, 'audit campaigns ledger'],
  ['after an action on a test', participations.refreshTests, 'audit campaigns ledger nda participations'],
  ['after an action on a bug', bugs.refreshBugs, 'audit bugs'],
  ['after a version was published', changes.refreshChanges, 'bugs changes'],
  ['after a change to the clock', continuity.refreshClock, 'continuity'],
  ['after an action on a fraud report', fraud.refreshFraud, 'audit fraud'],
  ['after a change to an NDA', () => nda.afterChange(agreed), 'campaigns nda'],
  ['after an export of acceptances', nda.afterExport, 'audit'],
  ['after an action on the product itself', operations.refreshOperations, 'operations'],
  ['after an action on a user', people.refreshUsers, 'audit campaigns people'],
  ['after an action on a tester list', testerLists.refreshList, 'audit campaigns participations tester-lists'],
])('%s what it changes is out of date, and no other slice', async (_, act, changed) => {
  fill(...slices.map(slice => [slice]))
  await act()
  expect(slices.filter(slice => isOutOfDate([slice])).toSorted()).toEqual(changed.split(' '))
})

test('after something was done on a dashboard its needs and the tester’s figures are out of date, and no more', async () => {
  const all = [dashboards.needsQuery, dashboards.testerFiguresQuery, dashboards.statsQuery, reports.reportQuery('c1')]
  fill(...all.map(({ queryKey }) => queryKey))
  await dashboards.refreshNeeds()
  expect(all.map(({ queryKey }) => isOutOfDate(queryKey))).toEqual([true, true, false, false])
})

test.each([
  [
    'a refused decision on a link puts the campaigns out of date, since the owner may have replaced it',
    () => Promise.reject(new Error('No')),
    true,
  ],
  [
    'a decision on a link that was taken leaves it to its caller what is out of date',
    () => Promise.resolve(campaign),
    false,
  ],
])('%s', async (_, decide, changed) => {
  fill(['campaigns'], ['ledger'])
  const settled = await Promise.allSettled([campaigns.decidingOnLink(decide())])
  expect(settled).toEqual(await Promise.allSettled([decide()]))
  expect(['campaigns', 'ledger'].map(slice => isOutOfDate([slice]))).toEqual([changed, false])
})

const [scan, next] = [{ runningScan: { id: 's1' } }, { runningScan: { id: 's2' } }]
const none = { runningScan: null }
test.each<[string, unknown, unknown, boolean]>([
  ['is out of date once its scan has ended', scan, none, true],
  ['is out of date once another scan runs', scan, next, true],
  ['is not out of date while its scan runs', scan, scan, false],
  ['is not out of date when a scan has begun', none, scan, false],
  ['is not out of date without a scan', none, none, false],
  ['is not out of date with the first figures', undefined, none, false],
])('the list of fraud reports %s, and other reports stay as they are', async (_, before, after, ended) => {
  const list = fraud.reportsQuery({ search: '', severity: null, status: null }, first).queryKey
  const others: QueryKey[] = [['fraud', 'one', 'r1'], ['audit']]
  fill(list, ...others)
  queryClient.setQueryData<unknown>(fraud.statsQuery.queryKey, before)
  answerWith(after)
  expect(await ask(fraud.statsQuery)).toEqual(after)
  expect([list, ...others].map(isOutOfDate)).toEqual([ended, false, false])
})
