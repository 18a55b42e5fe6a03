/** The emails about what follows a rejection: the appeal, its decision, and the end of its time. Pure. */
import { type Cents, formatCents } from '../../kit/money.ts'
import { holdWords, publicHoldWords } from '../holdWords.ts'
import { type Email, format } from './emailParts.ts'
import { type Seat, seatFate, seatMoney, type Surplus } from './refundWords.ts'

/** Sent to the tester. */
type OfTest = { testId: string; title: string; note: string }
/** Of one of a campaign's testers; sent to the developer. */
type OfCase = { testId: string; title: string; alias: string; amountCents: Cents }
type OfTester = { campaignId: string; testId: string; title: string; alias: string }

/** `byAdmin`: an admin rejected the proof, and not the developer. */
type Rejected = { byAdmin: boolean }

export type AppealEmailFacts = {
  APPEAL_OWNER: OfTester & Rejected & { reason: string }
  APPEAL_GRANTED: OfTest & { amountCents: Cents }
  APPEAL_GRANTED_OWNER: OfTester & Rejected & { note: string; amountCents: Cents }
  APPEAL_UPHELD: OfTest
  APPEAL_UPHELD_OWNER: OfTester & Rejected & Seat & { note: string }
  REJECTION_FINAL_OWNER: OfTester & Rejected & Seat
  /** To the admins. */
  CONSENT_ASKED: OfTester & { verifiesAt: string }
  CONSENT_GIVEN: OfTester & { note: string }
  CONSENT_REFUSED: OfTester & { note: string }
  CONSENT_LAPSED: OfTester & { amountCents: Cents }
  APPEAL_WAITS: OfCase & { days: number; paysAt: string; holds: keyof typeof holdWords | null }
  GOODWILL_HELD_ADMIN: OfCase & { holds: keyof typeof holdWords }
  GOODWILL_PAID: Omit<OfTest, 'note'> & { amountCents: Cents }
  GOODWILL_PAID_OWNER: OfTester & Rejected & { amountCents: Cents; surplus: Surplus }
  GOODWILL_HELD: Omit<OfTest, 'note'> & { amountCents: Cents; hold: keyof typeof publicHoldWords }
  GOODWILL_HELD_OWNER: OfTester & { amountCents: Cents; surplus: Surplus; hold: keyof typeof publicHoldWords }
}

const ofCase = (testId: string) => ({ kind: 'APPEAL', id: testId }) as const
const ofTest = (testId: string) => ({ kind: 'TEST', id: testId }) as const
const ofProof = (id: string, testId: string) => ({ kind: 'PROOFS', id, testId }) as const
const ofTester = (id: string, testId: string) => ({ kind: 'TESTERS', id, testId }) as const

const freeSeat =
  'The seat is open to another tester while the campaign runs; whatever is left when it ends is refunded to you.'

const whose = (byAdmin: boolean) => (byAdmin ? 'an admin’s' : 'your')

export const appealEmails: { [K in keyof AppealEmailFacts]: (facts: AppealEmailFacts[K]) => Email } = {
  APPEAL_OWNER: ({ campaignId, testId, title, alias, reason, byAdmin }) => ({
    subject: `${alias} appealed: ${title}`,
    text: `${alias} appealed ${whose(byAdmin)} rejection of their proof for “${title}”:\n\n${reason}\n\n${byAdmin ? 'An admin will look at it again and decide.' : 'An admin will look at what both of you say and decide.'} Until then the pay and the fee of the seat stay held. You do not have to do anything.`,
    about: ofTester(campaignId, testId),
  }),
  APPEAL_GRANTED: ({ testId, title, note, amountCents }) => ({
    subject: `Appeal granted, you earned ${formatCents(amountCents)}: ${title}`,
    text: `An admin granted your appeal, and your test of “${title}” is verified. ${formatCents(amountCents)} was added to your balance.\n\n${note}`,
    about: ofTest(testId),
  }),
  APPEAL_GRANTED_OWNER: ({ campaignId, testId, title, alias, note, amountCents, byAdmin }) => ({
    subject: `${alias}’s appeal was granted: ${title}`,
    text: `An admin granted the appeal of ${alias} against ${whose(byAdmin)} rejection. Their test of “${title}” is verified, and ${formatCents(amountCents)} was paid to them.\n\n${note}`,
    about: ofTester(campaignId, testId),
  }),
  APPEAL_UPHELD: ({ testId, title, note }) => ({
    subject: `Rejection upheld: ${title}`,
    text: `An admin looked at your appeal and upheld the rejection of your proof for “${title}”. This test does not pay.\n\n${note}`,
    about: ofTest(testId),
  }),
  APPEAL_UPHELD_OWNER: ({ campaignId, testId, title, alias, note, byAdmin, ...seat }) => ({
    subject: `${byAdmin ? 'A rejection' : 'Your rejection'} was upheld: ${title}`,
    text: `An admin upheld ${byAdmin ? 'the' : 'your'} rejection of ${alias}’s proof for “${title}”. ${seatFate(seat, freeSeat)}\n\n${note}`,
    about: ofTester(campaignId, testId),
  }),
  REJECTION_FINAL_OWNER: ({ campaignId, testId, title, alias, byAdmin, ...seat }) => ({
    subject: `A rejection is final: ${title}`,
    text: `Nobody appealed in time against ${whose(byAdmin)} rejection of ${alias}’s proof for “${title}”, so it is final. ${seatFate(seat, freeSeat)}`,
    about: ofTester(campaignId, testId),
  }),
  CONSENT_ASKED: ({ campaignId, testId, title, alias, verifiesAt }) => ({
    subject: `A rejection needs your consent: ${title}`,
    text: `The developer of “${title}” wants to reject ${alias}’s proof. Too many of the developer’s recent rejections were overturned, so this one needs an admin’s consent. Without it by ${format(verifiesAt)} the proof is auto-verified.`,
    about: ofProof(campaignId, testId),
  }),
  CONSENT_GIVEN: ({ campaignId, testId, title, alias, note }) => ({
    subject: `${alias}’s proof is rejected: ${title}`,
    text: `An admin consented to your rejection of ${alias}’s proof for “${title}”, and it is now rejected.\n\n${note}`,
    about: ofTester(campaignId, testId),
  }),
  CONSENT_REFUSED: ({ campaignId, testId, title, alias, note }) => ({
    subject: `${alias}’s proof was not rejected: ${title}`,
    text: `An admin did not consent to your rejection of ${alias}’s proof for “${title}”. If you do not decide otherwise, it is auto-verified when its review time is up.\n\n${note}`,
    about: ofProof(campaignId, testId),
  }),
  CONSENT_LAPSED: ({ campaignId, testId, title, alias, amountCents }) => ({
    subject: `${alias}’s proof was auto-verified: ${title}`,
    text: `You asked for ${alias}’s proof for “${title}” to be rejected, and no admin decided on it in time. So it was auto-verified, and ${formatCents(amountCents)} was paid to them.`,
    about: ofTester(campaignId, testId),
  }),
  APPEAL_WAITS: ({ testId, title, alias, amountCents, days, paysAt, holds }) => ({
    subject: `An appeal has waited for ${days} days: ${title}`,
    text: `${alias}’s appeal in “${title}” has waited for ${days} days. ${holds === null ? `Without a decision by ${format(paysAt)} the platform pays ${formatCents(amountCents)} to the tester from its own revenue, and the seat’s pay and fee go back to the developer.` : `The platform cannot pay the ${formatCents(amountCents)} to the tester instead, because ${holdWords[holds]}: the seat stays frozen until an admin decides.`}`,
    about: ofCase(testId),
  }),
  GOODWILL_HELD_ADMIN: ({ testId, title, alias, amountCents, holds }) => ({
    subject: `Goodwill pay is on hold: ${title}`,
    text: `Nobody decided ${alias}’s appeal in “${title}” within 7 days. The platform does not pay the ${formatCents(amountCents)} yet, because ${holdWords[holds]}. The seat stays frozen until that changes or an admin decides.`,
    about: ofCase(testId),
  }),
  GOODWILL_PAID: ({ testId, title, amountCents }) => ({
    subject: `Verified by the platform, you earned ${formatCents(amountCents)}: ${title}`,
    text: `We did not decide your appeal about “${title}” within 7 days, so the platform pays you: your test is verified, and ${formatCents(amountCents)} was added to your balance. Sorry for the wait.`,
    about: ofTest(testId),
  }),
  GOODWILL_PAID_OWNER: ({ campaignId, testId, title, alias, amountCents, surplus, byAdmin }) => ({
    subject: `${alias} was paid by the platform: ${title}`,
    text: `We did not decide ${alias}’s appeal in “${title}” within 7 days. The platform paid them ${formatCents(amountCents)} from its own money, and their test is verified by the platform. The seat is closed. ${seatMoney(surplus)} This is not a judgment on ${byAdmin ? 'the' : 'your'} rejection.`,
    about: ofTester(campaignId, testId),
  }),
  GOODWILL_HELD: ({ testId, title, amountCents, hold }) => ({
    subject: `Your appeal is taking longer: ${title}`,
    text: `We did not decide your appeal about “${title}” within 7 days. In that case the platform pays you instead, but it cannot do so yet: ${publicHoldWords[hold]}. ${formatCents(amountCents)} stays reserved for you until it can, or until an admin decides. We will let you know.`,
    about: ofTest(testId),
  }),
  GOODWILL_HELD_OWNER: ({ campaignId, testId, title, alias, hold, surplus }) => ({
    subject: `The decision on ${alias}’s appeal is taking longer: ${title}`,
    text: `We did not decide ${alias}’s appeal in “${title}” within 7 days. In that case the platform pays the tester${surplus === 'REFUNDED' ? ' and refunds the seat to you' : ' from its own money'}, but it cannot do so yet: ${publicHoldWords[hold]}. The seat’s pay and fee stay held until it can, or until an admin decides.`,
    about: ofTester(campaignId, testId),
  }),
}
