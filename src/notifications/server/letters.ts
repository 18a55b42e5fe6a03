/** What we write to people, by occasion: subject, text, and what it is about. Pure. */
import { type Cents, formatCents } from '../../kit/money.ts'
import type { About } from '../about.ts'

type OfCampaign = { campaignId: string; title: string }
/** To its tester. */
type OfTest = { testId: string; title: string }
type OfWithdrawal = { withdrawalId: string; amountCents: Cents }

/** The facts that each occasion needs (product.md §8). */
export type Occasions = {
  CAMPAIGN_APPROVED: OfCampaign
  CAMPAIGN_REJECTED: OfCampaign & { reason: string }
  CAMPAIGN_COMPLETED: OfCampaign
  CAMPAIGN_CANCELLED: OfTest
  CAMPAIGN_CANCELLED_OWNER: OfCampaign
  TESTER_AT_RISK: OfTest & { dropsAt: string; hours: number }
  TESTER_AT_RISK_OWNER: OfCampaign & { alias: string; dropsAt: string; hours: number }
  PROOF_LATE: OfTest & { dropsAt: string; hours: number }
  PROOF_LATE_OWNER: OfCampaign & { alias: string; dropsAt: string; hours: number }
  TESTER_DROPPED: OfTest & { hours: number; reason: 'NO_CHECK_IN' | 'NO_PROOF' }
  TESTER_DROPPED_OWNER: OfCampaign & { alias: string }
  PROOF_TO_REVIEW: OfCampaign & { alias: string; verifiesAt: string }
  CHANGES_REQUESTED: OfTest & { note: string; hours: number }
  TEST_VERIFIED: OfTest & { amountCents: Cents }
  TEST_REJECTED: OfTest & { reason: string }
  WITHDRAWAL_REQUESTED: OfWithdrawal & { destination: string }
  WITHDRAWAL_COMPLETED: OfWithdrawal & { destination: string }
  WITHDRAWAL_FAILED: OfWithdrawal & { reason: string }
  ADMIN_MESSAGE: { subject: string; text: string }
  ACCOUNT_SUSPENDED: { reason: string }
  ACCOUNT_RESTORED: { reason: string }
}
export type Occasion = keyof Occasions

/** `about` is null where there is no screen of it. */
type Letter = { subject: string; text: string; about: About | null }

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const at = (instant: string) => `${moment.format(Date.parse(instant))} UTC`

const droppedWords = {
  NO_CHECK_IN: (hours: number) => `nothing was heard from you for ${hours} hours`,
  NO_PROOF: (hours: number) => `no proof came within ${hours} hours`,
}

const letters: { [O in Occasion]: (facts: Occasions[O]) => Letter } = {
  CAMPAIGN_APPROVED: ({ campaignId, title }) => ({
    subject: `Approved: ${title}`,
    text: `Your campaign “${title}” was approved. Start it whenever you are ready.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  CAMPAIGN_REJECTED: ({ campaignId, title, reason }) => ({
    subject: `Changes needed: ${title}`,
    text: `Your campaign “${title}” was not approved:\n\n${reason}\n\nEdit it and submit it again; what you paid stays with it.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  CAMPAIGN_COMPLETED: ({ campaignId, title }) => ({
    subject: `Completed: ${title}`,
    text: `Your campaign “${title}” is completed. Money that was not used is on its way back to you.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  CAMPAIGN_CANCELLED: ({ testId, title }) => ({
    subject: `Cancelled: ${title}`,
    text: `The campaign “${title}” was cancelled. The days you checked in are paid into your balance.`,
    about: { kind: 'TEST', id: testId },
  }),
  CAMPAIGN_CANCELLED_OWNER: ({ campaignId, title }) => ({
    subject: `Cancelled: ${title}`,
    text: `Your campaign “${title}” was cancelled by an admin. Testers are paid for the days they did; the rest is on its way back to you.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  TESTER_AT_RISK: ({ testId, title, dropsAt, hours }) => ({
    subject: `Check in today: ${title}`,
    text: `You have not checked in to “${title}” for ${hours} hours. Without a check-in you lose your seat on ${at(dropsAt)}.`,
    about: { kind: 'TEST', id: testId },
  }),
  TESTER_AT_RISK_OWNER: ({ campaignId, title, alias, dropsAt, hours }) => ({
    subject: `${alias} may drop out of ${title}`,
    text: `${alias} has not checked in to “${title}” for ${hours} hours. Without a check-in the seat is free again on ${at(dropsAt)}.`,
    about: { kind: 'TESTERS', id: campaignId },
  }),
  PROOF_LATE: ({ testId, title, dropsAt, hours }) => ({
    subject: `Hand in your proof: ${title}`,
    text: `Your days of “${title}” are done, and your proof has been due for ${hours} hours. Without it you lose your seat on ${at(dropsAt)}, and the test pays nothing. Another check-in does not move that date.`,
    about: { kind: 'TEST', id: testId },
  }),
  PROOF_LATE_OWNER: ({ campaignId, title, alias, dropsAt, hours }) => ({
    subject: `${alias} may drop out of ${title}`,
    text: `${alias} is through with the days of “${title}”, and the proof has been due for ${hours} hours. Without it the seat is free again on ${at(dropsAt)}.`,
    about: { kind: 'TESTERS', id: campaignId },
  }),
  TESTER_DROPPED: ({ testId, title, hours, reason }) => ({
    subject: `You lost your seat: ${title}`,
    text: `You were taken out of “${title}”, because ${droppedWords[reason](hours)}. The test pays nothing.`,
    about: { kind: 'TEST', id: testId },
  }),
  TESTER_DROPPED_OWNER: ({ campaignId, title, alias }) => ({
    subject: `A seat is free again: ${title}`,
    text: `${alias} is no longer in “${title}”. The seat is free for another tester.`,
    about: { kind: 'TESTERS', id: campaignId },
  }),
  PROOF_TO_REVIEW: ({ campaignId, title, alias, verifiesAt }) => ({
    subject: `Proof to review: ${title}`,
    text: `${alias} handed in the proof for “${title}”. Without your review it is verified on ${at(verifiesAt)}.`,
    about: { kind: 'TESTERS', id: campaignId },
  }),
  CHANGES_REQUESTED: ({ testId, title, note, hours }) => ({
    subject: `Changes requested: ${title}`,
    text: `The developer of “${title}” asks for a better proof:\n\n${note}\n\nHand it in again within ${hours} hours.`,
    about: { kind: 'TEST', id: testId },
  }),
  TEST_VERIFIED: ({ testId, title, amountCents }) => ({
    subject: `You earned ${formatCents(amountCents)}: ${title}`,
    text: `Your test of “${title}” is verified. ${formatCents(amountCents)} are in your balance.`,
    about: { kind: 'TEST', id: testId },
  }),
  TEST_REJECTED: ({ testId, title, reason }) => ({
    subject: `Not accepted: ${title}`,
    text: `Your proof for “${title}” was not accepted:\n\n${reason}`,
    about: { kind: 'TEST', id: testId },
  }),
  WITHDRAWAL_REQUESTED: ({ withdrawalId, amountCents, destination }) => ({
    subject: `Withdrawal requested: ${formatCents(amountCents)}`,
    text: `You asked us to pay ${formatCents(amountCents)} to ${destination}. Withdrawals are processed in 1-3 business days.\n\nIf this was not you, change your password at once and reply to our email.`,
    about: { kind: 'WITHDRAWAL', id: withdrawalId },
  }),
  WITHDRAWAL_COMPLETED: ({ withdrawalId, amountCents, destination }) => ({
    subject: `Paid out: ${formatCents(amountCents)}`,
    text: `${formatCents(amountCents)} were paid to ${destination}.`,
    about: { kind: 'WITHDRAWAL', id: withdrawalId },
  }),
  WITHDRAWAL_FAILED: ({ withdrawalId, amountCents, reason }) => ({
    subject: `Withdrawal failed: ${formatCents(amountCents)}`,
    text: `Your withdrawal of ${formatCents(amountCents)} could not be paid: ${reason}\n\nThe money is back in your balance.`,
    about: { kind: 'WITHDRAWAL', id: withdrawalId },
  }),
  ADMIN_MESSAGE: letter => ({ ...letter, about: null }),
  ACCOUNT_SUSPENDED: ({ reason }) => ({
    subject: 'Your account is suspended',
    text: `Your account was suspended:\n\n${reason}\n\nYou cannot sign in, and withdrawals wait. If you think this is a mistake, reply to our email.`,
    about: null,
  }),
  ACCOUNT_RESTORED: ({ reason }) => ({
    subject: 'Your account is restored',
    text: `Your account works again:\n\n${reason}\n\nYou can sign in as before.`,
    about: null,
  }),
}

export const writeLetter = <O extends Occasion>(occasion: O, facts: Occasions[O]): Letter => letters[occasion](facts)
