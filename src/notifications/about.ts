/** What a notification is about, and the screen on which its reader acts. The page and the email link there. */
import { paths } from '../kit/paths.ts'

export const aboutKinds = [
  'CAMPAIGN',
  'TESTERS',
  'PROOFS',
  'TESTER_LIST',
  'TEST',
  'BUG',
  'APPEAL',
  'WITHDRAWAL',
  'PAYOUT',
  'REFUND',
  'STUCK_REFUND',
  'SETTINGS',
  'OPERATIONS',
  'ACCOUNT',
] as const

/** `testId` is of TESTERS and PROOFS: the one of the campaign's tests that is meant. */
export type About = { kind: (typeof aboutKinds)[number]; id: string; testId?: string | null }

const screens: Record<About['kind'], (about: Omit<About, 'kind'>) => string> = {
  CAMPAIGN: ({ id }) => paths.campaign(id),
  // The id of these three is the campaign's.
  TESTERS: ({ id, testId }) => (testId ? paths.campaignTester(id, testId) : paths.campaignTab(id, 'testers')),
  PROOFS: ({ id, testId }) => (testId ? paths.reviewOf(id, testId) : paths.review(id)),
  TESTER_LIST: ({ id }) => paths.campaignTab(id, 'list'),
  // The id is the participation's.
  TEST: ({ id }) => paths.myTest(id),
  BUG: ({ id }) => paths.bug(id),
  // The id is the participation's; for admins.
  APPEAL: ({ id }) => paths.appeal(id),
  WITHDRAWAL: () => paths.balance,
  // For admins.
  PAYOUT: () => paths.payoutsPending,
  REFUND: ({ id }) => paths.creditNote(id),
  // For admins.
  STUCK_REFUND: () => paths.refundsStuck,
  // For admins: the system settings.
  SETTINGS: () => paths.systemSettings,
  // For admins.
  OPERATIONS: () => paths.operations,
  // The id is the user's own.
  ACCOUNT: () => paths.settings,
}

export const screenOf = (about: About): string => screens[about.kind](about)

/** What an email's button to that screen says. */
const labels: Record<About['kind'], string> = {
  CAMPAIGN: 'Open the campaign',
  TESTERS: 'Open the testers',
  PROOFS: 'Review the proof',
  TESTER_LIST: 'Open the tester list',
  TEST: 'Open your test',
  BUG: 'Open the bug',
  APPEAL: 'Look at both sides',
  WITHDRAWAL: 'Open your balance',
  PAYOUT: 'Look at the payout',
  REFUND: 'Open the credit note',
  STUCK_REFUND: 'Look at the refund',
  SETTINGS: 'Open the settings',
  OPERATIONS: 'Look at the operations',
  ACCOUNT: 'Open your settings',
}

export const labelOf = (about: About | null): string => (about === null ? 'Open Fieldtest' : labels[about.kind])
