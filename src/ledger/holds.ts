/** The one place that says what holds up a tester's money: the kind of hold, a sentence, since when, and until when. Pure. */
import type { Pause, PauseReason } from '../accounts/rules.ts'
import { pauseHours } from '../accounts/rules.ts'
import { hoursAfter, type Instant } from '../kit/clock.ts'
import { type Cents, formatCents } from '../kit/money.ts'
import type { Hold } from './contract.ts'
import { pauseCause, stoppedSentence } from './rules.ts'

/** What every withdrawal of a tester is checked against, both new and already requested. */
export type HoldFacts = {
  /** The pause of withdrawals that ends last. */
  pause: Pause | null
  mustConfirmEmail: boolean
  suspendedAt: Instant | null
  suspensionReason: string | null
  /** Money that was paid out before the data was restored, and that the balance does not cover yet. */
  lostCents: Cents
  /** When jobs were paused, by an admin or because the data was restored. */
  jobsPausedAt: Instant | null
  restoring: boolean
  /** When a check of the books stopped withdrawals. */
  stoppedSince: Instant | null
  /** When our books and the provider's balance began to differ in a way that may resolve itself. */
  comparingSince: Instant | null
}

/** The state of one withdrawal that waits for two admins. */
export type WaitingApproval = { requestedAt: Instant; released: boolean }

const safe = 'Your balance is safe'

/** The pauses that follow a change of where withdrawals go. */
const ofMethod = ['PAYMENT_METHOD_CHANGED', 'PAYOUT_ACCOUNT_OPENED'] as const satisfies PauseReason[]

const pauseHold = ({ until, because }: Pause): Hold => ({
  kind: ofMethod.some(each => each === because) ? 'METHOD_PAUSE' : 'SECURITY_PAUSE',
  sentence: `${pauseCause[because]}. To keep your money safe, withdrawals are paused for now.`,
  since: hoursAfter(until, -pauseHours[because]),
  until,
})

const suspendedHold = ({ suspendedAt, suspensionReason }: HoldFacts): Hold => ({
  kind: 'SUSPENDED',
  sentence: `Your account is suspended: ${suspensionReason ?? ''}\nYour withdrawals wait until our team restores it. ${safe}.`,
  since: suspendedAt,
  until: null,
})

const restoringHold = ({ jobsPausedAt: since }: HoldFacts): Hold => ({
  kind: 'RESTORING',
  sentence: `Withdrawals are not possible while we restore our data. ${safe}. They resume once our team has compared it with our payment provider.`,
  since,
  until: null,
})

const booksHold = (since: Instant): Hold => ({ kind: 'BOOKS', sentence: stoppedSentence, since, until: null })

/** Holds that stop new withdrawals as well as requested ones. */
const ofBoth = (facts: HoldFacts): Hold[] => [
  ...(facts.suspendedAt === null ? [] : [suspendedHold(facts)]),
  ...(facts.restoring ? [restoringHold(facts)] : []),
  ...(facts.stoppedSince === null ? [] : [booksHold(facts.stoppedSince)]),
]

/** What holds up a new withdrawal. Holds without an end come first, since they may last longest. */
export const holdsOfNew = (facts: HoldFacts): Hold[] => [
  ...ofBoth(facts),
  ...(facts.lostCents > 0
    ? [
        {
          kind: 'LOST_PAYOUT' as const,
          sentence: `${formatCents(facts.lostCents)} was paid out to you before we restored our data from a backup, and your balance does not show it yet. You can withdraw again once your balance covers it.`,
          since: null,
          until: null,
        },
      ]
    : []),
  ...(facts.mustConfirmEmail
    ? [
        {
          kind: 'EMAIL_NOT_CONFIRMED' as const,
          sentence: 'You can withdraw once you have opened the link that we emailed to you.',
          since: null,
          until: null,
        },
      ]
    : []),
  ...(facts.pause ? [pauseHold(facts.pause)] : []),
]

const approvalHold = ({ requestedAt: since, released }: WaitingApproval): Hold => ({
  kind: 'APPROVAL',
  sentence: released
    ? 'Two members of our team check larger withdrawals, including several that add up within 7 days. One has released yours; we will pay it once another confirms.'
    : 'Two members of our team check larger withdrawals, including several that add up within 7 days. We will pay yours once one has released it and another confirms.',
  since,
  until: null,
})

const comparingHold = (since: Instant): Hold => ({
  kind: 'COMPARING',
  sentence: `We are comparing our books with our payment provider before we pay. This takes a few minutes. ${safe}.`,
  since,
  until: null,
})

const jobsHold = (since: Instant): Hold => ({
  kind: 'JOBS_PAUSED',
  sentence: 'Our team has paused all payouts for now. Yours will be paid when they resume.',
  since,
  until: null,
})

/** What holds up a requested withdrawal. Holds that only our team can end come first. */
export const holdOfWithdrawal = (facts: HoldFacts, approval: WaitingApproval | null): Hold | null =>
  ofBoth(facts)[0] ??
  (approval && approvalHold(approval)) ??
  (facts.jobsPausedAt === null ? null : jobsHold(facts.jobsPausedAt)) ??
  (facts.comparingSince === null ? null : comparingHold(facts.comparingSince))
