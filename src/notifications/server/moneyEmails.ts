/** The emails about problems with money, and how they were solved. Pure. */
import { type Cents, formatCents } from '../../kit/money.ts'
import type { Email } from './emailParts.ts'

type OfStuckRefund = { partId: string; amountCents: Cents; developer: string }

type OfPayment = { campaignId: string; title: string; amountCents: Cents }

export type MoneyEmailFacts = {
  /** About a payment that was on its way. */
  PAYMENT_FAILED: OfPayment & { reason: string }
  /** `owedCents`: what the developer owes for lost disputes, until which they can pay nothing new; mostly 0. */
  PAYMENT_RETURNED: OfPayment & { isDraft: boolean; owedCents: Cents }
  PAYMENT_ARRIVED: OfPayment & { renews: boolean }
  /** `offCents`: the difference in all; 0 if no amount is wrong. */
  BREACH_FOUND: { breachId: string; check: string; rows: number; offCents: Cents }
  REFUND_PAID_OUTSIDE: { refundId: string; title: string; amountCents: Cents; reference: string }
  REFUND_TO_CONFIRM: OfStuckRefund & { recordedBy: string }
  REFUND_PAID_TWICE: OfStuckRefund & { title: string }
  /** `toCents`: null turns it off. */
  LIMIT_TO_CONFIRM: { changeId: string; fromCents: Cents; toCents: Cents | null; proposedBy: string }
}

export const moneyEmails: { [K in keyof MoneyEmailFacts]: (facts: MoneyEmailFacts[K]) => Email } = {
  PAYMENT_FAILED: ({ campaignId, title, amountCents, reason }) => ({
    subject: `Payment declined: ${title}`,
    text: `Your payment of ${formatCents(amountCents)} for “${title}” did not go through, and nothing was charged:\n\n${reason}\n\nOpen the campaign to pay again, with another payment method if needed.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  PAYMENT_RETURNED: ({ campaignId, title, amountCents, isDraft, owedCents }) => ({
    subject: `Payment sent back: ${title}`,
    text: `Your payment of ${formatCents(amountCents)} for “${title}” went through ${owedCents > 0 ? `while you owe ${formatCents(owedCents)} for a payment that your bank took back` : 'when the campaign could no longer accept it'}, so we refund all of it to you.${isDraft ? ' The campaign is a draft: open it to see what it still needs.' : ''}`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  PAYMENT_ARRIVED: ({ campaignId, title, amountCents, renews }) => ({
    subject: `Payment received: ${title}`,
    text: `Your payment of ${formatCents(amountCents)} for “${title}” has arrived. ${renews ? 'We refund the same amount from your earlier payment.' : 'The campaign is now submitted for approval.'}`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  BREACH_FOUND: ({ breachId, check, rows, offCents }) => ({
    subject: `Withdrawals are stopped: ${check}`,
    text: `The check “${check}” of our books found ${rows === 1 ? 'one wrong row' : `${rows} wrong rows`}${offCents === 0 ? '' : `, by ${formatCents(offCents)} in total`}. No one is paid until an admin records why withdrawals can resume. Everything else continues.`,
    about: { kind: 'OPERATIONS', id: breachId },
  }),
  REFUND_PAID_OUTSIDE: ({ refundId, title, amountCents, reference }) => ({
    subject: `Refund paid: ${formatCents(amountCents)}`,
    text: `Your payment method did not accept the refund of ${formatCents(amountCents)} for “${title}”, so we paid you by other means.\n\nReference: ${reference}`,
    about: { kind: 'REFUND', id: refundId },
  }),
  REFUND_TO_CONFIRM: ({ partId, amountCents, developer, recordedBy }) => ({
    subject: `Refund to confirm: ${formatCents(amountCents)}`,
    text: `${recordedBy} recorded that the refund of ${formatCents(amountCents)} to ${developer} was paid by means other than the payment provider. It counts as paid once another admin confirms it.`,
    about: { kind: 'STUCK_REFUND', id: partId },
  }),
  REFUND_PAID_TWICE: ({ partId, amountCents, developer, title }) => ({
    subject: `Paid twice: a refund of ${formatCents(amountCents)}`,
    text: `The payment provider reports that it has paid the refund of ${formatCents(amountCents)} to ${developer} for “${title}”. It had refused to before, so the refund was also paid by other means, and ${developer} has been paid twice. Ask for one of the payments back, and settle it under Stuck refunds.`,
    about: { kind: 'STUCK_REFUND', id: partId },
  }),
  LIMIT_TO_CONFIRM: ({ changeId, fromCents, toCents, proposedBy }) => ({
    subject: `Proposal: ${toCents === null ? 'stop requiring two admins for payouts' : `require two admins only for payouts above ${formatCents(toCents)}`}`,
    text: `${proposedBy} wants to ${toCents === null ? 'stop requiring two admins for payouts' : `require two admins only for payouts above ${formatCents(toCents)}`}. Payouts above ${formatCents(fromCents)} need two admins until another admin confirms the change. If you did not expect it, refuse it and ask ${proposedBy}.`,
    about: { kind: 'SETTINGS', id: changeId },
  }),
}
