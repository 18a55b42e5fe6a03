/** The emails about a payment that a bank takes back, or wants to take back. Pure. */
import { type Cents, formatCents } from '../../kit/money.ts'
import type { Email } from './emailParts.ts'

type OfTest = { testId: string; title: string }
/** `stage`: whether the campaign has not started, is running, or has ended. */
type OfDispute = { campaignId: string; title: string; amountCents: Cents; stage: 'AHEAD' | 'RUNNING' | 'ENDED' }
/** `others`: another payment of the campaign is disputed, or was taken back. */
type OfOutcome = OfDispute & { lost: boolean; others: 'NONE' | 'OPEN' | 'LOST' }

export type DisputeEmailFacts = {
  /** To the testers inside. */
  DISPUTE_OPENED: OfTest
  DISPUTE_CLOSED: OfTest
  DISPUTE_OPENED_OWNER: OfDispute
  DISPUTE_CLOSED_OWNER: OfOutcome
  DISPUTE_OPENED_ADMIN: OfDispute
  DISPUTE_CLOSED_ADMIN: OfOutcome
  /** To the developer. `owedCents`: what they still owe for other payments. */
  DEBT_SETTLED: Omit<OfDispute, 'stage'> & { waived: boolean; owedCents: Cents }
  DEBT_GIVEN_BACK: Omit<OfDispute, 'stage'>
}

const whileOpen: Record<OfDispute['stage'], string> = {
  AHEAD: 'Until this is decided, no tester can join the campaign, and refunds are on hold.',
  RUNNING:
    'Until this is decided, the campaign accepts no new testers, refunds are on hold, and proofs cannot be rejected. Current testers continue and are paid for verified tests.',
  ENDED:
    'Until this is decided, refunds are on hold, and proofs that are still under review cannot be rejected. Verified tests are paid.',
}

const afterLoss: Record<OfDispute['stage'], string> = {
  AHEAD: 'As the campaign has not started, it is cancelled. ',
  RUNNING: 'The campaign no longer accepts new testers. Current testers can finish and will be paid. ',
  ENDED: '',
}

const afterWin = ({ stage, others }: OfOutcome) => {
  if (others === 'OPEN')
    return 'Another payment for it is still disputed, so refunds stay on hold until that is decided.'
  const refunds = 'Refunds that were on hold are on their way.'
  if (others === 'LOST')
    return `${refunds} We first deduct what your bank has already returned to you from another payment.`
  return stage === 'ENDED' ? refunds : `The campaign continues as before. ${refunds}`
}

const afterLossForAdmins: Record<OfDispute['stage'], string> = {
  AHEAD: ' The campaign has not started and is cancelled.',
  RUNNING: ' The campaign accepts no new testers; current testers can finish and will be paid.',
  ENDED: '',
}

const goesOn = ({ stage, others }: OfOutcome) => stage !== 'ENDED' && others === 'NONE'

export const disputeEmails: { [K in keyof DisputeEmailFacts]: (facts: DisputeEmailFacts[K]) => Email } = {
  DISPUTE_OPENED: ({ testId, title }) => ({
    subject: `Your test continues: ${title}`,
    text: `The payment for “${title}” is being disputed at the developer’s bank. Nothing changes for you: your test goes on as before. You are paid once your test is verified, and the developer cannot reject your proof while the dispute is open.`,
    about: { kind: 'TEST', id: testId },
  }),
  DISPUTE_CLOSED: ({ testId, title }) => ({
    subject: `The dispute is over: ${title}`,
    text: `The dispute about the payment for “${title}” is over. Your test continues as before, and you are paid once it is verified.`,
    about: { kind: 'TEST', id: testId },
  }),
  DISPUTE_OPENED_OWNER: ({ campaignId, title, amountCents, stage }) => ({
    subject: `Your payment is disputed: ${title}`,
    text: `Your bank tells us that the payment of ${formatCents(amountCents)} for “${title}” is disputed. ${whileOpen[stage]}\n\nIf you did not mean to dispute it, ask your bank to withdraw the dispute.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  DISPUTE_CLOSED_OWNER: outcome => {
    const { campaignId, title, amountCents, stage, lost } = outcome
    return {
      subject: lost ? `Your bank took the payment back: ${title}` : `The dispute is over: ${title}`,
      text: lost
        ? `Your bank has taken back ${formatCents(amountCents)} for “${title}”. ${afterLoss[stage]}From what is left we first deduct the amount your bank returned to you; we refund only the remainder.`
        : `The dispute about the payment of ${formatCents(amountCents)} for “${title}” is over, and the payment stands. ${afterWin(outcome)}`,
      about: { kind: 'CAMPAIGN', id: campaignId },
    }
  },
  DISPUTE_OPENED_ADMIN: ({ campaignId, title, amountCents }) => ({
    subject: `A payment is disputed: ${title}`,
    text: `A payment of ${formatCents(amountCents)} for “${title}” is disputed. The campaign is frozen until the case is decided.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  DISPUTE_CLOSED_ADMIN: outcome => {
    const { campaignId, title, amountCents, stage, lost } = outcome
    return {
      subject: `A dispute was ${lost ? 'lost' : 'won'}: ${title}`,
      text: lost
        ? `The bank took back ${formatCents(amountCents)} for “${title}”.${afterLossForAdmins[stage]}`
        : `The payment of ${formatCents(amountCents)} for “${title}” stands.${goesOn(outcome) ? ' The campaign continues.' : ''}`,
      about: { kind: 'CAMPAIGN', id: campaignId },
    }
  },
  DEBT_SETTLED: ({ campaignId, title, amountCents, waived, owedCents }) => ({
    subject: `Debt ${waived ? 'waived' : 'settled'}: ${formatCents(amountCents)}`,
    text: `${waived ? 'You do not have to pay the' : 'We have received the'} ${formatCents(amountCents)} that you owed for “${title}”, because your bank took the payment back. ${owedCents > 0 ? `You still owe ${formatCents(owedCents)} for other payments.` : 'You can pay for campaigns again.'}`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  DEBT_GIVEN_BACK: ({ campaignId, title, amountCents }) => ({
    subject: `Money given back: ${formatCents(amountCents)}`,
    text: `You had paid ${formatCents(amountCents)} of what you owed for “${title}”, and then did not owe it after all. We have given it back to you in the way you paid it.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
}
