/** Every email and its notification: the subject, the text, and the screen it is about. Pure. */
import { type Cents, formatCents } from '../../kit/money.ts'
import type { Role } from '../../kit/roles.ts'
import { accountEmails, type AccountEmailFacts } from './accountEmails.ts'
import { bugEmails, type BugEmailFacts } from './bugEmails.ts'
import { changeEmails, type ChangeEmailFacts } from './changeEmails.ts'
import { appealEmails, type AppealEmailFacts } from './appealEmails.ts'
import { type Email, format } from './emailParts.ts'
import { disputeEmails, type DisputeEmailFacts } from './disputeEmails.ts'
import { moneyEmails, type MoneyEmailFacts } from './moneyEmails.ts'
import { ndaEmails, type NdaEmailFacts } from './ndaEmails.ts'
import { optInEmails, type OptInEmailFacts } from './optInEmails.ts'
import { goesBack, isGivenAgain, type Seat, seatFate, type Surplus } from './refundWords.ts'
import { secondFactorEmails, type SecondFactorEmailFacts } from './secondFactorEmails.ts'

type OfCampaign = { campaignId: string; title: string }
/** Sent to the tester. */
type OfTest = { testId: string; title: string }
/** About one of a campaign's testers; sent to the developer. */
type OfTester = OfCampaign & { testId: string; alias: string }
type Decided =
  | { as: 'VERIFIED'; amountCents: Cents }
  | { as: 'CHANGES_REQUESTED'; note: string; hours: number }
  | { as: 'REJECTED'; reason: string; appealBy: string }
type AfterCancellation = {
  surplus: Surplus
  /** Money was in escrow for it. */
  paid: boolean
  /** A payment is on its way. */
  pending: boolean
  /** Testers could join. */
  started: boolean
  /** Testers were paid for their days. */
  daysPaid: boolean
  /** Proofs are open that may still be paid. */
  held: boolean
}
type OfWithdrawal = { withdrawalId: string; amountCents: Cents }

/** The facts that each kind of email needs (product.md §8). */
export type EmailFacts = {
  CAMPAIGN_APPROVED: OfCampaign & { disputed: boolean }
  CAMPAIGN_REJECTED: OfCampaign & { reason: string }
  CAMPAIGN_COMPLETED: OfCampaign & { surplus: Surplus }
  CAMPAIGN_PAUSED_OWNER: OfCampaign
  LINK_APPROVED: OfCampaign
  LINK_REJECTED: OfCampaign & { link: string; reason: string }
  /** `oldTitle`: null if the title is unchanged. `described`: whether what to test has changed. */
  TEXTS_CHANGED: OfTest & { oldTitle: string | null; described: boolean }
  LINK_CHANGED: OfTest & { groupChanged: boolean }
  /**
   * `amountCents`: what the tester was paid for the days, or if `waited`, for waiting to be let in. `maySubmit`: changes to their
   * proof were requested.
   */
  CAMPAIGN_CANCELLED: OfTest & { amountCents: Cents; waited: boolean; maySubmit?: boolean }
  CAMPAIGN_CANCELLED_OWNER: OfCampaign & AfterCancellation & { reason?: string }
  /** `until`: when our team looks at it again. */
  ESCROW_EXTENDED: OfCampaign & { until: string; reason: string }
  RENEWAL_ASKED: OfCampaign & { amountCents: Cents; reason: string }
  /** `zone`: the test's time zone, if the tester's own is now another. */
  CHECK_IN_DUE: OfTest & { zone: string | null }
  TESTER_LISTED: OfTest & { inGroup: boolean }
  MAY_OPT_OUT: OfTest & { because: keyof typeof optOutReasons }
  SEAT_OFFERED: OfTest & { endsAt: string }
  SEAT_TAKEN_BACK: OfTest & { why: keyof typeof takenBackBecause }
  SEAT_PASSED: OfTest
  /** `ended`: the campaign has ended. Otherwise it takes no more testers, because a payment was taken back. */
  BENCH_ENDED: { title: string; ended: boolean }
  /** `proofDue`: the days are over, so a proof keeps the seat as well. */
  TESTER_AT_RISK: OfTest & { dropsAt: string; hours: number; proofDue: boolean }
  TESTER_AT_RISK_OWNER: OfTester & { dropsAt: string; hours: number; cost: string | null; proofDue: boolean }
  /**
   * `checkInUntil`: until when a check-in would keep the seat, if one is missing as well. `changes`: the proof is one that changes
   * were requested to.
   */
  PROOF_LATE: OfTest & { dropsAt: string; hours: number; changes: boolean; checkInUntil: string | null }
  PROOF_LATE_OWNER: OfTester & { dropsAt: string; hours: number; changes: boolean; cost: string | null }
  TESTER_DROPPED: OfTest & { hours: number; reason: keyof typeof dropReasons }
  TESTER_DROPPED_OWNER: OfTester & Seat & { why: string | null }
  PROOF_TO_REVIEW: OfTester & { verifiesAt: string }
  /** What an admin decided instead of the developer. */
  PROOF_DECIDED_OWNER: OfTester & { decided: Decided }
  CHANGES_REQUESTED: OfTest & { note: string; hours: number }
  /** `stayDays`: how long to stay after the campaign's end at most, if the developer has not applied for production access yet. */
  TEST_VERIFIED: OfTest & { amountCents: Cents; stayDays: number | null }
  TEST_REJECTED: OfTest & { reason: string; appealBy: string }
  /** `checked`: the payout waits for two admins. */
  WITHDRAWAL_REQUESTED: OfWithdrawal & { destination: string; checked?: boolean }
  PAYOUT_TO_RELEASE: OfWithdrawal & { tester: string }
  PAYOUT_TO_CONFIRM: OfWithdrawal & { tester: string; releasedBy: string }
  WITHDRAWAL_COMPLETED: OfWithdrawal & { destination: string }
  WITHDRAWAL_FAILED: OfWithdrawal & { reason: string }
  ADMIN_MESSAGE: { subject: string; text: string }
  ACCOUNT_SUSPENDED: { reason: string; role: Role }
  ACCOUNT_RESTORED: { reason: string; role: Role }
} & AccountEmailFacts &
  BugEmailFacts &
  ChangeEmailFacts &
  NdaEmailFacts &
  DisputeEmailFacts &
  MoneyEmailFacts &
  AppealEmailFacts &
  OptInEmailFacts &
  SecondFactorEmailFacts
export type EmailKind = keyof EmailFacts

/** Why testers no longer have to stay opted in. */
const optOutReasons = {
  APPLIED: (title: string) =>
    `The developer of “${title}” has applied to Google for production access. Thank you for staying. You may opt out of the test on Google Play and remove the app now.`,
  CANCELLED: (title: string) =>
    `“${title}” was cancelled, so nobody has to stay opted in. Your pay stays as it is. You may opt out of the test on Google Play and remove the app now.`,
  CANCELLED_IN_REVIEW: (title: string) =>
    `“${title}” was cancelled, so nobody has to stay opted in. Your proof is still reviewed, and your pay stays as it is. You may opt out of the test on Google Play now, but keep the app until your proof is decided: changes can still be requested.`,
}

const takenBackBecause = {
  PAUSED: 'was paused',
  CLOSED: 'is not accepting new testers at the moment',
  PASSED_ON: 'was paused for a while, and somebody ahead of you in line has the seat now',
} as const

const dropReasons = {
  NO_CHECK_IN: (hours: number) => `you did not check in for ${hours} hours`,
  NO_PROOF: (hours: number) => `you did not submit the proof that was due within ${hours} hours`,
  NOT_OPTED_IN: (hours: number) => `you did not opt in on Google Play within ${hours} hours`,
  NDA_NOT_ACCEPTED: (hours: number) => `you did not accept the NDA within ${hours} hours`,
  OPTED_OUT: (hours: number) => `you were opted out on Google Play for ${hours} hours`,
}

/** What the developer's date would become if the tester left, if there is a date. */
const costWords = (cost: string | null) => (cost === null ? '' : `\n\nYour earliest date to apply: ${cost}`)

/** Follows "An admin". */
const decidedWords = (proof: string, decided: Decided) => {
  switch (decided.as) {
    case 'VERIFIED':
      return `verified ${proof}, and ${formatCents(decided.amountCents)} was paid to them.`
    case 'CHANGES_REQUESTED':
      return `requested changes to ${proof}:\n\n${decided.note}\n\nThey can submit it again within ${decided.hours} hours.`
    case 'REJECTED':
      return `rejected ${proof}:\n\n${decided.reason}\n\nThey can appeal before ${format(decided.appealBy)}. Until the rejection is final, the pay and the fee of the seat stay held.`
  }
}

const ifItIsPaid = 'If the payment that you have started goes through, we refund all of it to you.'

const whatBecomesOf = ({ paid, pending, ...rest }: AfterCancellation) => {
  if (!paid) return pending ? ifItIsPaid : 'Nothing has been paid for it, so nothing is refunded.'
  return pending ? `${ofWhatWasPaid(rest)} ${ifItIsPaid}` : ofWhatWasPaid(rest)
}

const ofWhatWasPaid = ({ surplus, started, daysPaid, held }: Omit<AfterCancellation, 'paid' | 'pending'>) => {
  if (!started) return surplus === 'REFUNDED' ? 'We refund what you paid.' : `What you paid ${goesBack[surplus]}`
  const isRefunded = surplus === 'REFUNDED'
  if (!daysPaid && !held)
    return isRefunded ? 'We refund what is left of your payment.' : `What is left of your payment ${goesBack[surplus]}`
  const pay = daysPaid
    ? `Testers are paid for the days they completed${held ? `,${isRefunded ? '' : ' and'} what` : ''}`
    : 'What'
  const text = held ? `${pay} proofs that are still open may earn stays held` : pay
  return isRefunded ? `${text}, and we refund the rest to you.` : `${text}. The rest ${goesBack[surplus]}`
}

const whatWasPaid = ({ amountCents, waited }: Pick<EmailFacts['CAMPAIGN_CANCELLED'], 'amountCents' | 'waited'>) => {
  if (amountCents === 0) return 'You had not completed a day, so this test does not pay.'
  return waited
    ? `You had waited to be let in for a week or longer, so one day’s pay, ${formatCents(amountCents)}, was added to your balance.`
    : `${formatCents(amountCents)} for the days you completed was added to your balance.`
}

const emails: { [K in EmailKind]: (facts: EmailFacts[K]) => Email } = {
  CAMPAIGN_APPROVED: ({ campaignId, title, disputed }) => ({
    subject: `Approved: ${title}`,
    text: `Your campaign “${title}” is approved. You can start it ${disputed ? 'once your bank has decided in your favor on the disputed payment' : 'now'}.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  CAMPAIGN_REJECTED: ({ campaignId, title, reason }) => ({
    subject: `Changes needed: ${title}`,
    text: `Your campaign “${title}” was not approved:\n\n${reason}\n\nEdit the campaign and submit it again. Your payment stays with it.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  LINK_APPROVED: ({ campaignId, title }) => ({
    subject: `New link approved: ${title}`,
    text: `The new link of your campaign “${title}” is approved. Testers have it now.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  LINK_REJECTED: ({ campaignId, title, link, reason }) => ({
    subject: `New link not approved: ${title}`,
    text: `The new link of your campaign “${title}” was not approved:\n\n${reason}\n\nThe link was ${link}\n\nTesters keep the old link. You can change it again at any time.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  TEXTS_CHANGED: ({ testId, title, oldTitle, described }) => ({
    subject: `${oldTitle === null ? 'What to test has changed' : 'New title'}: ${title}`,
    text: [
      oldTitle !== null && `“${oldTitle}” is now called “${title}”.`,
      described && `The developer changed what to test in “${title}”. Open your test to read it.`,
    ]
      .filter(Boolean)
      .join(' '),
    about: { kind: 'TEST', id: testId },
  }),
  LINK_CHANGED: ({ testId, title, groupChanged }) => ({
    subject: `${groupChanged ? 'New links' : 'New app link'}: ${title}`,
    text: groupChanged
      ? `The Google Group that you need for “${title}” has changed. Open your test to get the new links, and use them from now on.`
      : `The app link of “${title}” has changed. Open your test to get the new one, and use it from now on.`,
    about: { kind: 'TEST', id: testId },
  }),
  CAMPAIGN_COMPLETED: ({ campaignId, title, surplus }) => ({
    subject: `Completed: ${title}`,
    text: `Your campaign “${title}” is complete. ${surplus === 'REFUNDED' ? 'We refund any money that was not used.' : `What was not used ${goesBack[surplus]}`}`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  CAMPAIGN_CANCELLED: ({ testId, title, maySubmit, ...paid }) => ({
    subject: `Cancelled: ${title}`,
    text: `The campaign “${title}” was cancelled. ${maySubmit ? 'You can still submit the proof that you were asked to change, and are paid in full when it is verified.' : whatWasPaid(paid)}`,
    about: { kind: 'TEST', id: testId },
  }),
  CAMPAIGN_CANCELLED_OWNER: ({ campaignId, title, reason, ...facts }) => ({
    subject: `Cancelled: ${title}`,
    text: `An admin cancelled your campaign “${title}”. ${whatBecomesOf(facts)}${reason === undefined ? '' : `\n\n${reason}`}`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  CAMPAIGN_PAUSED_OWNER: ({ campaignId, title }) => ({
    subject: `Paused: ${title}`,
    text: `An admin paused your campaign “${title}”. Nobody can join until you resume it. Current testers continue, and the end date does not move.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  ESCROW_EXTENDED: ({ campaignId, title, until, reason }) => ({
    subject: `Your payment stays in escrow: ${title}`,
    text: `Your payment for “${title}” has been in escrow for a long time. Our team has decided that it stays there until at least ${format(until)}:\n\n${reason}\n\nThere is nothing you need to do.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  RENEWAL_ASKED: ({ campaignId, title, amountCents, reason }) => ({
    subject: `New payment needed: ${title}`,
    text: `Your payment for “${title}” has been in escrow for so long that it has to be replaced:\n\n${reason}\n\nOpen the campaign and make a new payment of ${formatCents(amountCents)}. Once you have paid, we refund the same amount from your earlier payment, so it costs you nothing extra. Nothing changes for the campaign in the meantime. Without the new payment we may have to cancel it.`,
    about: { kind: 'CAMPAIGN', id: campaignId },
  }),
  SEAT_OFFERED: ({ testId, title, endsAt }) => ({
    subject: `A seat is yours: ${title}`,
    text: `A seat in “${title}” is free, and it is held for you until ${format(endsAt)}. Accept it to start testing; otherwise it goes to the next tester in line.`,
    about: { kind: 'TEST', id: testId },
  }),
  SEAT_TAKEN_BACK: ({ testId, title, why }) => ({
    subject: `${why === 'PASSED_ON' ? 'Somebody else has the seat' : 'Your seat is on hold'}: ${title}`,
    text: `The campaign “${title}” ${takenBackBecause[why]}, so you cannot accept the seat that was held for you. You keep your place in line, and we will tell you within an hour when a seat is held for you again.`,
    about: { kind: 'TEST', id: testId },
  }),
  SEAT_PASSED: ({ testId, title }) => ({
    subject: `Your seat offer expired: ${title}`,
    text: `You did not accept the seat in “${title}” in time. You are still on the bench, at the end of the line.`,
    about: { kind: 'TEST', id: testId },
  }),
  BENCH_ENDED: ({ title, ended }) => ({
    subject: `No more seats: ${title}`,
    text: `The campaign “${title}” ${ended ? 'has ended' : 'accepts no more testers'}, so it has no seat for you anymore. Thank you for waiting; other campaigns are open.`,
    about: null,
  }),
  CHECK_IN_DUE: ({ testId, title, zone }) => ({
    subject: `Today’s check-in is missing: ${title}`,
    text: `You have not checked in to “${title}” today. Open the app, try it, and check in before midnight${zone === null ? '' : ` in ${zone.replaceAll('_', ' ')}, the time zone of this test`}, so that the day counts.`,
    about: { kind: 'TEST', id: testId },
  }),
  TESTER_LISTED: ({ testId, title, inGroup }) => ({
    subject: `You can get in now: ${title}`,
    text: `The developer of “${title}” has added your Google account to ${inGroup ? 'the Google Group of the test' : 'the tester list'}. Open your test for the next step: the link to the app, and the account to use there. It can take a few hours until Google Play lets you in.`,
    about: { kind: 'TEST', id: testId },
  }),
  MAY_OPT_OUT: ({ testId, title, because }) => ({
    subject: `You may opt out now: ${title}`,
    text: optOutReasons[because](title),
    about: { kind: 'TEST', id: testId },
  }),
  TESTER_AT_RISK: ({ testId, title, dropsAt, hours, proofDue }) => ({
    subject: `${proofDue ? 'You may lose your seat' : 'Check in today'}: ${title}`,
    text: `You have not checked in to “${title}” for ${hours} hours. ${proofDue ? 'Your days are over: submit your proof, or check in,' : 'Check in'} before ${format(dropsAt)} to keep your seat.`,
    about: { kind: 'TEST', id: testId },
  }),
  TESTER_AT_RISK_OWNER: ({ campaignId, testId, title, alias, dropsAt, hours, cost, proofDue }) => ({
    subject: `${alias} may drop out of ${title}`,
    text: `${alias} has not checked in to “${title}” for ${hours} hours. If they ${proofDue ? 'neither check in nor submit their proof' : 'do not check in'}, they lose their seat on ${format(dropsAt)}.${costWords(cost)}`,
    about: { kind: 'TESTERS', id: campaignId, testId },
  }),
  PROOF_LATE: ({ testId, title, dropsAt, hours, changes, checkInUntil }) => ({
    subject: `${changes ? 'Submit your proof again' : 'Submit your proof'}: ${title}`,
    text: changes
      ? `Changes to your proof for “${title}” were requested ${hours} hours ago. Submit it again before ${format(dropsAt)}, or you lose your seat and will not be paid for this test.`
      : `Your days of testing “${title}” are over, and your proof has been due for ${hours} hours. Submit it before ${format(dropsAt)}, or you lose your seat and will not be paid for this test. ${checkInUntil === null ? 'Checking in again does not extend this deadline.' : `Checking in again keeps your seat until ${format(checkInUntil)}, and no longer.`}`,
    about: { kind: 'TEST', id: testId },
  }),
  PROOF_LATE_OWNER: ({ campaignId, testId, title, alias, dropsAt, hours, changes, cost }) => ({
    subject: `${alias} may drop out of ${title}`,
    text: `${changes ? `Changes to the proof of ${alias} for “${title}” were requested ${hours} hours ago. If they do not submit it again` : `The days of ${alias} in “${title}” are over, and their proof has been due for ${hours} hours. If they do not submit it`}, they lose their seat on ${format(dropsAt)}.${costWords(cost)}`,
    about: { kind: 'TESTERS', id: campaignId, testId },
  }),
  TESTER_DROPPED: ({ testId, title, hours, reason }) => ({
    subject: `You lost your seat: ${title}`,
    text: `You were removed from “${title}” because ${dropReasons[reason](hours)}. You will not be paid for this test.`,
    about: { kind: 'TEST', id: testId },
  }),
  TESTER_DROPPED_OWNER: ({ campaignId, testId, title, alias, why, ...seat }) => ({
    subject: isGivenAgain(seat) ? `A seat is open again: ${title}` : `${alias} is no longer testing: ${title}`,
    text: `${alias} is no longer testing “${title}”${why === null ? '' : ` (${why})`}. ${seatFate(seat, 'Their seat is open to another tester.')}`,
    about: { kind: 'TESTERS', id: campaignId, testId },
  }),
  PROOF_TO_REVIEW: ({ campaignId, testId, title, alias, verifiesAt }) => ({
    subject: `Proof to review: ${title}`,
    text: `${alias} submitted their proof for “${title}”. If you do not review it, it is verified automatically on ${format(verifiesAt)}.`,
    about: { kind: 'PROOFS', id: campaignId, testId },
  }),
  PROOF_DECIDED_OWNER: ({ campaignId, testId, title, alias, decided }) => ({
    subject: `An admin decided on ${alias}’s proof: ${title}`,
    text: `An admin ${decidedWords(`${alias}’s proof for “${title}”`, decided)}`,
    about: { kind: 'TESTERS', id: campaignId, testId },
  }),
  CHANGES_REQUESTED: ({ testId, title, note, hours }) => ({
    subject: `Changes requested: ${title}`,
    text: `Changes to your proof for “${title}” were requested:\n\n${note}\n\nSubmit it again within ${hours} hours.`,
    about: { kind: 'TEST', id: testId },
  }),
  TEST_VERIFIED: ({ testId, title, amountCents, stayDays }) => ({
    subject: `You earned ${formatCents(amountCents)}: ${title}`,
    text: `Your test of “${title}” is verified. ${formatCents(amountCents)} was added to your balance.${stayDays === null ? '' : ` Please stay opted in on Google Play until the developer has applied for production access: we will tell you when they have. At the latest, you may opt out ${stayDays} days after the campaign has ended.`}`,
    about: { kind: 'TEST', id: testId },
  }),
  TEST_REJECTED: ({ testId, title, reason, appealBy }) => ({
    subject: `Proof rejected: ${title}`,
    text: `Your proof for “${title}” was rejected:\n\n${reason}\n\nIf you think that this is wrong, open your test and appeal before ${format(appealBy)}. An admin then decides, and your pay stays held until then. Without an appeal the rejection is final.`,
    about: { kind: 'TEST', id: testId },
  }),
  WITHDRAWAL_REQUESTED: ({ withdrawalId, amountCents, destination, checked }) => ({
    subject: `Withdrawal requested: ${formatCents(amountCents)}`,
    text: `You requested a withdrawal of ${formatCents(amountCents)} to ${destination}. Withdrawals are processed in 1-3 business days.${checked ? ' Two members of our team first check larger withdrawals, and several that add up within 7 days.' : ''}\n\nIf this was not you, change your password immediately and reply to our email.`,
    about: { kind: 'WITHDRAWAL', id: withdrawalId },
  }),
  PAYOUT_TO_RELEASE: ({ withdrawalId, amountCents, tester }) => ({
    subject: `Payout to release: ${formatCents(amountCents)}`,
    text: `${tester} wants to withdraw ${formatCents(amountCents)}. Payouts above the limit, or that take a tester above it within 7 days, wait for two admins: one releases it, and another confirms.`,
    about: { kind: 'PAYOUT', id: withdrawalId },
  }),
  PAYOUT_TO_CONFIRM: ({ withdrawalId, amountCents, tester, releasedBy }) => ({
    subject: `Payout to confirm: ${formatCents(amountCents)}`,
    text: `${releasedBy} released the payout of ${formatCents(amountCents)} to ${tester}. It is paid once another admin confirms it.`,
    about: { kind: 'PAYOUT', id: withdrawalId },
  }),
  WITHDRAWAL_COMPLETED: ({ withdrawalId, amountCents, destination }) => ({
    subject: `Paid out: ${formatCents(amountCents)}`,
    text: `${formatCents(amountCents)} was paid to ${destination}.`,
    about: { kind: 'WITHDRAWAL', id: withdrawalId },
  }),
  WITHDRAWAL_FAILED: ({ withdrawalId, amountCents, reason }) => ({
    subject: `Withdrawal failed: ${formatCents(amountCents)}`,
    text: `Your withdrawal of ${formatCents(amountCents)} failed: ${reason}\n\nThe money is back in your balance.`,
    about: { kind: 'WITHDRAWAL', id: withdrawalId },
  }),
  ADMIN_MESSAGE: message => ({ ...message, about: null }),
  ACCOUNT_SUSPENDED: ({ reason, role }) => ({
    subject: 'Your account is suspended',
    text: `Your account was suspended:\n\n${reason}\n\nYou cannot sign in, and ${role === 'DEVELOPER' ? 'your live campaigns are paused' : 'you lose your seats in running campaigns and your places in line. Proofs that you have submitted are still reviewed, the time limit for appealing a rejection keeps running, and withdrawals are on hold'}. If you think this is a mistake, reply to our email.`,
    about: null,
  }),
  ACCOUNT_RESTORED: ({ reason, role }) => ({
    subject: 'Your account is restored',
    text: `Your account was restored:\n\n${reason}\n\nYou can sign in again. ${role === 'DEVELOPER' ? 'Campaigns that were paused stay paused until you resume them.' : 'Seats and places in line that you lost do not come back; you can join other campaigns.'}`,
    about: null,
  }),
  ...accountEmails,
  ...bugEmails,
  ...changeEmails,
  ...ndaEmails,
  ...disputeEmails,
  ...moneyEmails,
  ...appealEmails,
  ...optInEmails,
  ...secondFactorEmails,
}

export const writeEmail = <K extends EmailKind>(kind: K, facts: EmailFacts[K]): Email => emails[kind](facts)
