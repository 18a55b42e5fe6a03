/** The emails about a payment that a bank takes back, or asks to. Pure. */
import { type Cents, formatCents } from '../../kit/money.ts'
import type { Email } from './emailParts.ts'

type OfTest = { testId: string; title: string }
type OfDispute = { campaignId: string; title: string; amountCents: Cents }

export type DisputeEmailFacts = {
  /** To the testers inside. */
  DISPUTE_OPENED: OfTest
  DISPUTE_CLOSED: OfTest
  DISPUTE_OPENED_OWNER: OfDispute
  DISPUTE_CLOSED_OWNER: OfDispute & { lost: boolean }
  DISPUTE_OPENED_ADMIN: OfDispute
  DISPUTE_CLOSED_ADMIN: OfDispute & { lost: boolean }
}

export const disputeEmails: { [K in keyof DisputeEmailFacts]: (facts: DisputeEmailFacts[K]) => Email } = {
  DISPUTE_OPENED: ({ testId, title }) => ({
    subject: `Your test continues: ${title}`,
    text: `The payment for “${title}” is being disputed at the developer’s bank. Nothing changes for you: check in and submit your proof as before. You are paid once your test is verified, and the developer cannot reject your proof while the dispute is open.`,
    about: { kind: 'TEST', id: testId },
  }),
  DISPUTE_CLOSED: ({ testId, title }) => ({
    subject: `The dispute is over: ${title}`,
    text: `The dispute about the payment for “${title}” is over. Your test continues as before, and you are paid once it is verified.`,
    about: { kind: 'TEST', id: testId },
  }),
  DISPUTE_OPENED_OWNER: ({ campaignId, title, amountCents }) => ({
    subject: `Your payment is disputed: ${title}`,
    text: `Your bank tells us that the payment of ${formatCents(amountCents)} for “${title}” is disputed. Until this is decided, the campaign accepts no new testers, refunds are on hold, and proofs cannot be rejected. Current testers continue and are paid for verified tests.\n\nIf you did not mean to dispute it, ask your bank to withdraw the dispute.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  DISPUTE_CLOSED_OWNER: ({ campaignId, title, amountCents, lost }) => ({
    subject: lost ? `Your bank took the payment back: ${title}` : `The dispute is over: ${title}`,
    text: lost
      ? `Your bank has taken back ${formatCents(amountCents)} for “${title}”. The campaign no longer accepts new testers. Current testers can finish and will be paid. From what is left we first deduct the amount your bank returned to you; we refund only the remainder.`
      : `The dispute about the payment of ${formatCents(amountCents)} for “${title}” is over, and the payment stands. The campaign continues as before; refunds that were on hold are on their way.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  DISPUTE_OPENED_ADMIN: ({ campaignId, title, amountCents }) => ({
    subject: `A payment is disputed: ${title}`,
    text: `A payment of ${formatCents(amountCents)} for “${title}” is disputed. The campaign is frozen until the case is decided.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  DISPUTE_CLOSED_ADMIN: ({ campaignId, title, amountCents, lost }) => ({
    subject: `A dispute was ${lost ? 'lost' : 'won'}: ${title}`,
    text: lost
      ? `The bank took back ${formatCents(amountCents)} for “${title}”. The campaign accepts no new testers; current testers can finish and will be paid.`
      : `The payment of ${formatCents(amountCents)} for “${title}” stands. The campaign continues.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
}
