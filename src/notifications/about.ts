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
  'ADMIN',
  'ACCOUNT',
] as const

/** `testId` is of TESTERS, PROOFS and TESTER_LIST: the one of the campaign's tests that is meant. */
export type About = { kind: (typeof aboutKinds)[number]; id: string; testId?: string | null }

/** Of several notifications, which no row holds: both have the id of the campaign. */
export const groupKinds = [...aboutKinds, 'BUGS', 'APPEALS'] as const

export type AboutGroup = Omit<About, 'kind'> & { kind: (typeof groupKinds)[number] }

const screens: Record<AboutGroup['kind'], (about: Omit<About, 'kind'>) => string> = {
  CAMPAIGN: ({ id }) => paths.campaign(id),
  // The id of these three is the campaign's.
  TESTERS: ({ id, testId }) => (testId ? paths.campaignTester(id, testId) : paths.campaignTab(id, 'testers')),
  PROOFS: ({ id, testId }) => (testId ? paths.reviewOf(id, testId) : paths.review(id)),
  TESTER_LIST: ({ id }) => paths.campaignTab(id, 'list'),
  // The id is the participation's.
  TEST: ({ id }) => paths.myTest(id),
  BUG: ({ id }) => paths.bug(id),
  BUGS: ({ id }) => paths.campaignTab(id, 'bugs'),
  // The id is the participation's; for admins.
  APPEAL: ({ id }) => paths.appeal(id),
  // Of all campaigns.
  APPEALS: () => paths.appealsPending,
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
  // For admins: the id is another admin's, whose account was created or deleted.
  ADMIN: () => paths.auditLog,
  // The id is the user's own.
  ACCOUNT: () => paths.settings,
}

/** The dashboard, where only a newer server knows the kind. */
export const screenOf = (about: AboutGroup): string =>
  Object.hasOwn(screens, about.kind) ? screens[about.kind](about) : paths.dashboard

/** Several of one kind in one campaign. */
export type Several = {
  newest: About
  campaignId: string
  /** Its reader's own test of the campaign; null for who is no tester of it. */
  ownTestId: string | null
  /** How many different things they are about. */
  things: number
}

/** Where all of them are shown: a tester's bugs with their test. Several about one bug or appeal lead to it. */
export const aboutSeveral = ({ newest, campaignId, ownTestId, things }: Several): AboutGroup => {
  if (newest.kind !== 'BUG' && newest.kind !== 'APPEAL') return { ...newest, testId: null }
  if (things <= 1) return newest
  if (newest.kind === 'APPEAL') return { kind: 'APPEALS', id: campaignId }
  return ownTestId === null ? { kind: 'BUGS', id: campaignId } : { kind: 'TEST', id: ownTestId }
}

/** What an email's button to that screen says. */
const labels: Record<About['kind'], string> = {
  CAMPAIGN: 'Open the campaign',
  TESTERS: 'Open the testers',
  PROOFS: 'Review the proof',
  TESTER_LIST: 'Open the tester list',
  TEST: 'Open your test',
  BUG: 'Open the bug',
  APPEAL: 'Review the case',
  WITHDRAWAL: 'Open your balance',
  PAYOUT: 'Review the payout',
  REFUND: 'Open the credit note',
  STUCK_REFUND: 'Review the refund',
  SETTINGS: 'Open the settings',
  OPERATIONS: 'Open Operations',
  ADMIN: 'Open the audit log',
  ACCOUNT: 'Open your settings',
}

export const labelOf = (about: About | null): string =>
  about !== null && Object.hasOwn(labels, about.kind) ? labels[about.kind] : 'Open Fieldtest'
