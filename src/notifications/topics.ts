/**
 * The topics that users choose a delivery for. Pure; shared by the server and the screens. Warnings about the account,
 * withdrawals and the payment method belong to no topic: they always go out by email.
 */
import type { Role } from '../kit/roles.ts'

export const deliveries = ['AT_ONCE', 'DAILY', 'WEEKLY', 'IN_APP', 'NEVER'] as const
export type Delivery = (typeof deliveries)[number]

export const digestPeriods = ['DAILY', 'WEEKLY'] as const
export type DigestPeriod = (typeof digestPeriods)[number]

/** A topic's delivery until the user chooses another. */
export const presetDelivery: Delivery = 'AT_ONCE'

export const topics = [
  'PROOFS',
  'APPEALS',
  'TESTERS_AT_RISK',
  'TESTER_LIST',
  'CAMPAIGNS',
  'SEATS_OF_CAMPAIGNS',
  'OPT_IN_DECISIONS',
  'BUG_REPORTS',
  'CHECK_INS',
  'DEADLINES',
  'REVIEWS',
  'APPEAL_OUTCOMES',
  'SEATS',
  'TEST_CHANGES',
  'OPT_INS',
  'RETESTS',
  'BUG_THREADS',
  'APPEALS_TO_DECIDE',
  'MESSAGES',
] as const
export type Topic = (typeof topics)[number]

type About = { roles: readonly Role[]; title: string; hint: string }

export const aboutTopics: Record<Topic, About> = {
  PROOFS: {
    roles: ['DEVELOPER'],
    title: 'Proofs to review',
    hint: 'A tester submitted a proof, or an admin decided on one.',
  },
  APPEALS: {
    roles: ['DEVELOPER'],
    title: 'Appeals',
    hint: 'A tester appeals a rejection, an admin decides, or a rejection becomes final.',
  },
  TESTERS_AT_RISK: {
    roles: ['DEVELOPER'],
    title: 'Testers who may drop out',
    hint: 'A check-in, an opt-in, a proof or an NDA is late.',
  },
  TESTER_LIST: {
    roles: ['DEVELOPER'],
    title: 'Testers waiting for your list',
    hint: 'They cannot get in until you add them in Play Console or to your Google Group.',
  },
  CAMPAIGNS: {
    roles: ['DEVELOPER'],
    title: 'Your campaigns',
    hint: 'Paid, approved, sent back, paused, completed or cancelled, and decisions on new links.',
  },
  SEATS_OF_CAMPAIGNS: {
    roles: ['DEVELOPER'],
    title: 'Testers who leave',
    hint: 'A tester opts out, drops out or deletes the account, and a seat opens or closes.',
  },
  OPT_IN_DECISIONS: {
    roles: ['DEVELOPER'],
    title: 'Decisions on opt-ins',
    hint: 'An opt-in that you contested counts, or does not.',
  },
  BUG_REPORTS: {
    roles: ['DEVELOPER'],
    title: 'Bugs and retests',
    hint: 'A tester reports a bug, or retests your fix or change.',
  },
  CHECK_INS: {
    roles: ['TESTER'],
    title: 'Check-in reminders',
    hint: 'Today’s check-in is missing, your seat is at risk, or the developer has reminded you of your next step.',
  },
  DEADLINES: {
    roles: ['TESTER'],
    title: 'Deadlines',
    hint: 'A proof, an opt-in or an NDA is late.',
  },
  REVIEWS: {
    roles: ['TESTER'],
    title: 'Reviews of your proofs',
    hint: 'Verified and paid, changes requested, or rejected.',
  },
  APPEAL_OUTCOMES: { roles: ['TESTER'], title: 'Your appeals', hint: 'An admin decided.' },
  SEATS: {
    roles: ['TESTER'],
    title: 'Seats offered',
    hint: 'A seat is held for you or put on hold, or your seat offer expired.',
  },
  TEST_CHANGES: {
    roles: ['TESTER'],
    title: 'Changes to your tests',
    hint: 'You can get in, the link, text or NDA changes, or a test ends for you.',
  },
  OPT_INS: {
    roles: ['TESTER'],
    title: 'Doubts about your opt-in',
    hint: 'The developer doubts it, or an admin decides.',
  },
  RETESTS: {
    roles: ['TESTER'],
    title: 'Fixes to retest',
    hint: 'The developer says that a bug is fixed, or that a change addresses your feedback.',
  },
  BUG_THREADS: {
    roles: ['DEVELOPER', 'TESTER'],
    title: 'Bug threads',
    hint: 'A comment, or a new status of a bug.',
  },
  APPEALS_TO_DECIDE: {
    roles: ['ADMIN'],
    title: 'Appeals to decide',
    hint: 'An appeal has waited for days, or goodwill pay is on hold.',
  },
  MESSAGES: {
    roles: ['DEVELOPER', 'TESTER', 'ADMIN'],
    title: 'Messages from our team',
    hint: 'What an admin writes to you.',
  },
}

/** An admin's message is for one user alone, and stays in the app even if it is not emailed. */
export const alwaysInApp = 'MESSAGES' satisfies Topic

export const deliveriesOf = (topic: Topic): readonly Delivery[] =>
  topic === alwaysInApp ? deliveries.filter(delivery => delivery !== 'NEVER') : deliveries

export const topicsOf = (role: Role): Topic[] => topics.filter(topic => aboutTopics[topic].roles.includes(role))

const digestTitles: Record<DigestPeriod, string> = { DAILY: 'Your daily digest', WEEKLY: 'Your weekly digest' }

const isPeriod = (scope: string): scope is DigestPeriod => scope === 'DAILY' || scope === 'WEEKLY'

const isTopic = (scope: string): scope is Topic => topics.some(topic => topic === scope)

/** What an unsubscribe link turns off: a topic, or a whole digest. It may be a topic that only a newer server knows. */
export const titleOfScope = (scope: string): string => {
  if (isPeriod(scope)) return digestTitles[scope]
  return isTopic(scope) ? aboutTopics[scope].title : 'Other news'
}
