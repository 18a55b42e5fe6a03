/** Spec §2: what a tester's screens say. */
import type { Stand } from './stands.ts'

const as = 'TESTER'

const transaction = (type: string, status: string) => ({
  id: `00000000-0000-4000-8000-${type.length}${status.length}0000000000`,
  type,
  status,
  amountCents: 1000,
  createdAt: '2026-01-02T03:04:05.000Z',
  description: `${type} ${status}`,
  campaign: null,
  failureReason: null,
  paymentId: null,
})

export const testerStands: Stand[] = [
  {
    spec: '§2 navigation chrome',
    as,
    path: '/dashboard/balance',
    within: 'navigation',
    says: [{ link: 'Dashboard' }, { link: 'Available Campaigns' }, { link: 'My Tests' }, { link: 'Balance' }],
  },
  {
    spec: '§2 top bar and user menu',
    as,
    path: '/dashboard/balance',
    within: 'page',
    says: ['Tester', { button: 'TS: user menu' }],
  },
  {
    spec: '§2 /dashboard',
    as,
    path: '/dashboard',
    says: [
      { heading: /^Welcome, Test Spec/ },
      'Tester',
      'Total Earnings',
      'Active Tests',
      'Completed Tests',
      'Available',
      { heading: 'Recent Tests' },
      'Closed test of Spec',
      'Active',
      '$12.50',
      'Verified',
      { heading: 'Quick actions' },
      /^Browse Campaigns/,
      /^View Balance/,
      /^My Tests/,
    ],
  },
  {
    spec: '§2 /dashboard/campaigns',
    as: 'NEW_TESTER',
    path: '/dashboard/campaigns?search=Closed test of Spec',
    says: [{ heading: 'Available Campaigns' }, { heading: 'Closed test of Spec' }, { button: 'Join Campaign' }],
  },
  {
    spec: '§2 /dashboard/balance, §9 withdrawals',
    as,
    path: '/dashboard/balance',
    says: [
      { heading: 'Balance and Earnings' },
      'Available balance',
      '$15.00',
      { heading: /recent transactions/i },
      { heading: 'Withdraw' },
      { field: 'Amount' },
      { button: 'Withdraw' },
      /processed in 1-3 business days with email confirmation, sent to your registered payment method/,
    ],
  },
  {
    spec: '§4 transaction statuses',
    as,
    path: '/dashboard/balance',
    answered: {
      '/testers/balance': {
        balanceCents: 1000,
        onTheWayCents: 0,
        minimumWithdrawalCents: 1000,
        holds: [],
        recentTransactions: [
          transaction('CREDIT', 'COMPLETED'),
          transaction('PAYOUT', 'PENDING'),
          transaction('PAYOUT', 'FAILED'),
          transaction('CREDIT', 'REFUNDED'),
        ],
      },
    },
    says: ['Completed', 'Pending', 'Failed', 'Refunded'],
  },
  {
    spec: '§8 balance that cannot be loaded',
    as,
    path: '/dashboard/balance',
    refused: '/testers/balance',
    says: ['Failed to load balance', { button: 'Try Again' }],
  },
]
