/** What we write to people, by occasion: subject and text. Pure. */
import { type Cents, formatCents } from '../../app/money.ts'

/** The facts that each occasion needs (product.md §8). */
export type Occasions = {
  CAMPAIGN_APPROVED: { title: string }
  CAMPAIGN_REJECTED: { title: string; reason: string }
  CAMPAIGN_COMPLETED: { title: string }
  CAMPAIGN_CANCELLED: { title: string }
  CAMPAIGN_CANCELLED_OWNER: { title: string }
  TESTER_AT_RISK: { title: string; dropsAt: string; hours: number }
  TESTER_AT_RISK_OWNER: { title: string; alias: string; dropsAt: string; hours: number }
  TESTER_DROPPED: { title: string; hours: number }
  TESTER_DROPPED_OWNER: { title: string; alias: string }
  PROOF_TO_REVIEW: { title: string; alias: string; verifiesAt: string }
  CHANGES_REQUESTED: { title: string; note: string; hours: number }
  TEST_VERIFIED: { title: string; amountCents: Cents }
  TEST_REJECTED: { title: string; reason: string }
  WITHDRAWAL_REQUESTED: { amountCents: Cents; destination: string }
  WITHDRAWAL_COMPLETED: { amountCents: Cents; destination: string }
  WITHDRAWAL_FAILED: { amountCents: Cents; reason: string }
  ADMIN_MESSAGE: { subject: string; text: string }
  ACCOUNT_SUSPENDED: { reason: string }
  ACCOUNT_RESTORED: { reason: string }
}
export type Occasion = keyof Occasions

type Letter = { subject: string; text: string }

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const at = (instant: string) => `${moment.format(Date.parse(instant))} UTC`

const letters: { [O in Occasion]: (facts: Occasions[O]) => Letter } = {
  CAMPAIGN_APPROVED: ({ title }) => ({
    subject: `Approved: ${title}`,
    text: `Your campaign “${title}” was approved. Start it whenever you are ready.`,
  }),
  CAMPAIGN_REJECTED: ({ title, reason }) => ({
    subject: `Changes needed: ${title}`,
    text: `Your campaign “${title}” was not approved:\n\n${reason}\n\nEdit it and submit it again; what you paid stays with it.`,
  }),
  CAMPAIGN_COMPLETED: ({ title }) => ({
    subject: `Completed: ${title}`,
    text: `Your campaign “${title}” is completed. Money that was not used is on its way back to you.`,
  }),
  CAMPAIGN_CANCELLED: ({ title }) => ({
    subject: `Cancelled: ${title}`,
    text: `The campaign “${title}” was cancelled. The days you checked in are paid into your balance.`,
  }),
  CAMPAIGN_CANCELLED_OWNER: ({ title }) => ({
    subject: `Cancelled: ${title}`,
    text: `Your campaign “${title}” was cancelled by an admin. Testers are paid for the days they did; the rest is on its way back to you.`,
  }),
  TESTER_AT_RISK: ({ title, dropsAt, hours }) => ({
    subject: `Check in today: ${title}`,
    text: `You have not checked in to “${title}” for ${hours} hours. Without a check-in you lose your seat on ${at(dropsAt)}.`,
  }),
  TESTER_AT_RISK_OWNER: ({ title, alias, dropsAt, hours }) => ({
    subject: `${alias} may drop out of ${title}`,
    text: `${alias} has not checked in to “${title}” for ${hours} hours. Without a check-in the seat is free again on ${at(dropsAt)}.`,
  }),
  TESTER_DROPPED: ({ title, hours }) => ({
    subject: `You lost your seat: ${title}`,
    text: `You were taken out of “${title}”, because nothing was heard from you for ${hours} hours.`,
  }),
  TESTER_DROPPED_OWNER: ({ title, alias }) => ({
    subject: `A seat is free again: ${title}`,
    text: `${alias} is no longer in “${title}”. The seat is free for another tester.`,
  }),
  PROOF_TO_REVIEW: ({ title, alias, verifiesAt }) => ({
    subject: `Proof to review: ${title}`,
    text: `${alias} handed in the proof for “${title}”. Without your review it is verified on ${at(verifiesAt)}.`,
  }),
  CHANGES_REQUESTED: ({ title, note, hours }) => ({
    subject: `Changes requested: ${title}`,
    text: `The developer of “${title}” asks for a better proof:\n\n${note}\n\nHand it in again within ${hours} hours.`,
  }),
  TEST_VERIFIED: ({ title, amountCents }) => ({
    subject: `You earned ${formatCents(amountCents)}: ${title}`,
    text: `Your test of “${title}” is verified. ${formatCents(amountCents)} are in your balance.`,
  }),
  TEST_REJECTED: ({ title, reason }) => ({
    subject: `Not accepted: ${title}`,
    text: `Your proof for “${title}” was not accepted:\n\n${reason}`,
  }),
  WITHDRAWAL_REQUESTED: ({ amountCents, destination }) => ({
    subject: `Withdrawal requested: ${formatCents(amountCents)}`,
    text: `You asked us to pay ${formatCents(amountCents)} to ${destination}. Withdrawals are processed in 1-3 business days.\n\nIf this was not you, answer this email.`,
  }),
  WITHDRAWAL_COMPLETED: ({ amountCents, destination }) => ({
    subject: `Paid out: ${formatCents(amountCents)}`,
    text: `${formatCents(amountCents)} were paid to ${destination}.`,
  }),
  WITHDRAWAL_FAILED: ({ amountCents, reason }) => ({
    subject: `Withdrawal failed: ${formatCents(amountCents)}`,
    text: `Your withdrawal of ${formatCents(amountCents)} could not be paid: ${reason}\n\nThe money is back in your balance.`,
  }),
  ADMIN_MESSAGE: letter => letter,
  ACCOUNT_SUSPENDED: ({ reason }) => ({
    subject: 'Your account is suspended',
    text: `Your account was suspended:\n\n${reason}\n\nYou cannot sign in, and withdrawals wait. If you think this is a mistake, answer this email.`,
  }),
  ACCOUNT_RESTORED: ({ reason }) => ({
    subject: 'Your account is restored',
    text: `Your account works again:\n\n${reason}\n\nYou can sign in as before.`,
  }),
}

export const writeLetter = <O extends Occasion>(occasion: O, facts: Occasions[O]): Letter => letters[occasion](facts)
