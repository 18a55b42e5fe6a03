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
    subject: `Your test goes on: ${title}`,
    text: `The payment for “${title}” is being disputed at the developer’s bank. For you nothing changes: check in and submit your proof as before. What is verified is paid, and the developer cannot reject a proof while the dispute is open.`,
    about: { kind: 'TEST', id: testId },
  }),
  DISPUTE_CLOSED: ({ testId, title }) => ({
    subject: `The dispute is over: ${title}`,
    text: `The dispute about the payment for “${title}” is over. Your test goes on as before, and what is verified is paid.`,
    about: { kind: 'TEST', id: testId },
  }),
  DISPUTE_OPENED_OWNER: ({ campaignId, title, amountCents }) => ({
    subject: `Your payment is disputed: ${title}`,
    text: `Your bank tells us that the payment of ${formatCents(amountCents)} for “${title}” is disputed. Until this is decided the campaign takes no new testers, refunds wait, and proofs cannot be rejected. Testers inside go on and are paid for what is verified.\n\nIf you did not mean to dispute it, ask your bank to withdraw the dispute.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  DISPUTE_CLOSED_OWNER: ({ campaignId, title, amountCents, lost }) => ({
    subject: lost ? `Your bank took the payment back: ${title}` : `The dispute is over: ${title}`,
    text: lost
      ? `Your bank has taken back ${formatCents(amountCents)} for “${title}”. The campaign takes no new testers any more. Testers inside finish and are paid; what is left is not refunded as far as your bank has returned it to you.`
      : `The dispute about the payment of ${formatCents(amountCents)} for “${title}” is over, and the payment stands. The campaign goes on as before; refunds that waited are on their way.`,
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
      ? `The bank took back ${formatCents(amountCents)} for “${title}”. The campaign takes no new testers; those inside finish and are paid.`
      : `The payment of ${formatCents(amountCents)} for “${title}” stands. The campaign goes on.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
}
