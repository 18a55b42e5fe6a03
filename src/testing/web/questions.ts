/**
 * Every question that the page asks the server, grouped by the slice that provides the answers. Import it only after `pageAsks`,
 * which stands in for the browser.
 */
import * as audit from '../../audit/web/calls.ts'
import * as books from '../../books/web/calls.ts'
import * as bugs from '../../bugs/web/calls.ts'
import * as campaigns from '../../campaigns/web/calls.ts'
import * as changes from '../../changes/web/calls.ts'
import * as dashboards from '../../dashboards/web/calls.ts'
import * as disputes from '../../ledger/web/disputeCalls.ts'
import * as escrow from '../../campaigns/web/escrowCalls.ts'
import * as feedback from '../../feedback/web/calls.ts'
import * as fraud from '../../fraud/web/calls.ts'
import * as landing from '../../landing/web/calls.ts'
import * as ledger from '../../ledger/web/calls.ts'
import * as nda from '../../nda/web/calls.ts'
import * as notifications from '../../notifications/web/calls.ts'
import * as operations from '../../operations/web/calls.ts'
import * as papers from '../../ledger/web/paperCalls.ts'
import * as participations from '../../participations/web/calls.ts'
import * as people from '../../people/web/calls.ts'
import * as reports from '../../reports/web/calls.ts'
import * as reputation from '../../reputation/web/calls.ts'
import * as settings from '../../settings/web/calls.ts'
import * as stuckRefunds from '../../ledger/web/stuckRefundCalls.ts'
import type { Question } from './pageAsks.ts'

export const first = { page: 1 }
const beyond = { page: 9, cursor: 'x' }
const noCampaignFilters = { search: '', platform: null, status: null, sort: 'newest' } as const
const campaignFilters = { search: 'no', platform: 'ios', status: 'LIVE', sort: 'highestPay' } as const
export const anyLine = { type: null, status: null, campaign: null, at: null }
export const noNotices = { show: null, kind: null, campaign: '' }

/** What is shown, the query, and the address that it requests. */
export const questions: Record<string, [shown: string, question: Question, address: string][]> = {
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
      fraud.reportsQuery({ search: '', severity: null, status: null, sample: null }, first),
      '/admin/fraud-reports?page=1&limit=50',
    ],
    [
      'fraud reports of one kind, far down',
      fraud.reportsQuery({ search: 'ann', severity: 'LOW', status: 'OPEN', sample: null }, beyond),
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
    ['debts for lost disputes', disputes.owedPages, '/admin/disputes?status=OWED&limit=20'],
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

export const rows = Object.entries(questions).flatMap(([slice, some]) =>
  some.map(([shown, question, address]) => ({ slice, shown, question, address })),
)
export const isPaged = ({ question }: { question: Question }) => question.getNextPageParam !== undefined
export const isNumbered = ({ address }: { address: string }) => /[?&]page=|\/transactions\?/.test(address)
