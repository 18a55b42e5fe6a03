/** The emails about what follows a rejection: the appeal, its decision, and the end of its time. Pure. */
import { type Cents, formatCents } from '../../kit/money.ts'
import type { Email } from './emailParts.ts'

/** Sent to the tester. */
type OfTest = { testId: string; title: string; note: string }
/** Of one of a campaign's testers; sent to the developer. */
type OfTester = { campaignId: string; testId: string; title: string; alias: string }

/** `ended`: the campaign was cancelled, so that the seat's money goes back. */
export type AppealEmailFacts = {
  APPEAL_OWNER: OfTester & { reason: string }
  APPEAL_GRANTED: OfTest & { amountCents: Cents }
  APPEAL_GRANTED_OWNER: OfTester & { note: string; amountCents: Cents }
  APPEAL_UPHELD: OfTest
  APPEAL_UPHELD_OWNER: OfTester & { note: string; ended: boolean }
  REJECTION_FINAL_OWNER: OfTester & { ended: boolean }
}

const ofTest = (testId: string) => ({ kind: 'TEST', id: testId }) as const
const ofTester = (id: string, testId: string) => ({ kind: 'TESTERS', id, testId }) as const

const seatFate = (ended: boolean) =>
  ended
    ? 'The pay and the fee of the seat are refunded to you.'
    : 'The seat is free for another tester while the campaign runs; what is left at its end is refunded to you.'

export const appealEmails: { [K in keyof AppealEmailFacts]: (facts: AppealEmailFacts[K]) => Email } = {
  APPEAL_OWNER: ({ campaignId, testId, title, alias, reason }) => ({
    subject: `${alias} appealed: ${title}`,
    text: `${alias} appealed against your rejection of their proof for “${title}”:\n\n${reason}\n\nAn admin looks at what both of you say and decides. Until then the pay and the fee of the seat stay held. You do not have to do anything.`,
    about: ofTester(campaignId, testId),
  }),
  APPEAL_GRANTED: ({ testId, title, note, amountCents }) => ({
    subject: `Appeal granted, you earned ${formatCents(amountCents)}: ${title}`,
    text: `An admin granted your appeal, and your test of “${title}” is verified. ${formatCents(amountCents)} was added to your balance.\n\n${note}`,
    about: ofTest(testId),
  }),
  APPEAL_GRANTED_OWNER: ({ campaignId, testId, title, alias, note, amountCents }) => ({
    subject: `${alias}’s appeal was granted: ${title}`,
    text: `An admin granted the appeal of ${alias} against your rejection. Their test of “${title}” is verified, and ${formatCents(amountCents)} was paid to them.\n\n${note}`,
    about: ofTester(campaignId, testId),
  }),
  APPEAL_UPHELD: ({ testId, title, note }) => ({
    subject: `Rejection upheld: ${title}`,
    text: `An admin looked at your appeal and upheld the rejection of your proof for “${title}”. This test does not pay.\n\n${note}`,
    about: ofTest(testId),
  }),
  APPEAL_UPHELD_OWNER: ({ campaignId, testId, title, alias, note, ended }) => ({
    subject: `Your rejection was upheld: ${title}`,
    text: `An admin upheld your rejection of ${alias}’s proof for “${title}”. ${seatFate(ended)}\n\n${note}`,
    about: ofTester(campaignId, testId),
  }),
  REJECTION_FINAL_OWNER: ({ campaignId, testId, title, alias, ended }) => ({
    subject: `A rejection is final: ${title}`,
    text: `${alias} did not appeal against your rejection of their proof for “${title}”, so it is final. ${seatFate(ended)}`,
    about: ofTester(campaignId, testId),
  }),
}
