/**
 * The emails about the way into a closed test: the tester list, the opt-in, and doubts about it. What testers read names
 * neither list nor Google Group: they are let in. Pure.
 */
import { allOf } from '../../kit/words.ts'
import { type Cents, formatCents } from '../../kit/money.ts'
import { type Email, format } from './emailParts.ts'
import { goesBack, type Surplus } from './refundWords.ts'

type OfCampaign = { campaignId: string; title: string }
/** Of one of a campaign's testers; sent to the developer. */
type OfTester = OfCampaign & { testId: string; alias: string }
/** Sent to the tester. */
type OfTest = { testId: string; title: string }

export type OptInEmailFacts = {
  /** `keptOut`: of those the ones who are on the list, and report that Google Play does not let them in. */
  TESTERS_WAIT_FOR_LIST: OfCampaign & {
    aliases: string[]
    keptOut: string[]
    inGroup: boolean
    since: string
    mayLeaveAt: string
  }
  /** `says`: behind "Google Play says that"; `check`: what the developer has to look at. */
  TESTER_NOT_LET_IN_OWNER: OfTester & { says: string; inGroup: boolean; check: string; mayLeaveAt: string }
  /** To the admins, of the last report that a test takes. */
  TESTER_NOT_LET_IN_ADMIN: OfTester & { says: string }
  WAITING_MAY_LEAVE: OfTest & { amountCents: Cents; endsAt: string }
  WAITING_ENDED: OfTest & { amountCents: Cents }
  WAITING_ENDED_OWNER: OfTester & { amountCents: Cents; surplus: Surplus }
  OPT_IN_LATE: OfTest & { dropsAt: string; hours: number; mayReport: boolean }
  OPT_IN_LATE_OWNER: OfTester & { dropsAt: string; hours: number }
  TESTER_OPTED_OUT_OWNER: OfTester & { dropsAt: string | null }
  /** Of one who counts as long as they stay; `cost`: what their removal would do to the date. */
  /** `contested`: by the owner, and not decided yet. */
  TESTER_DELETED_OWNER: OfTester & { inGroup: boolean; contested?: boolean; cost: string | null }
  OPT_IN_CONTESTED: OfTest & { reason: string; clearsAt: string }
  OPT_IN_CLEARED: OfTest & { note: string | null }
  OPT_IN_CLEARED_OWNER: OfTester & { note: string | null }
  /** `frozen`: the proof was rejected, and no opt-in begins unless an appeal is granted. `suspended`: the tester's account is. */
  OPT_IN_VOIDED: OfTest & { note: string; hours: number; frozen: boolean; suspended?: boolean }
  OPT_IN_VOIDED_OWNER: OfTester & { note: string; frozen: boolean; gone?: boolean }
  NUDGE: OfTest & { step: 'ACCEPT_NDA' | 'OPEN_LINK' | 'OPT_IN' | 'CHECK_IN' | 'PROOF' }
}

const steps: Record<OptInEmailFacts['NUDGE']['step'], string> = {
  ACCEPT_NDA: 'Open your test, read the NDA and accept it. You cannot get the app before that.',
  OPEN_LINK: 'The developer has let you in. Open your test, follow the link to Google Play, and opt in.',
  OPT_IN: 'Opt in to the test on Google Play, then confirm it in your test.',
  CHECK_IN: 'Use the app today, then check in to your test.',
  PROOF: 'Your proof is due. Open your test and submit it.',
}

const withNote = (note: string | null) => (note === null ? '' : `\n\n${note}`)

const mayOptInAgain = (frozen: boolean) =>
  frozen
    ? 'Their proof was rejected, so they cannot opt in again unless an admin grants their appeal.'
    : 'The tester may opt in again.'

type Voided = Pick<OptInEmailFacts['OPT_IN_VOIDED'], 'hours' | 'frozen' | 'suspended'>

/** Read while the account is suspended, by email, and after it was restored, in the app. */
const whetherYouMayOptInAgain = ({ hours, frozen, suspended = false }: Voided): string => {
  if (frozen)
    return suspended
      ? 'Your proof was rejected and your account suspended, so you cannot opt in again unless an admin grants your appeal and your account is restored; your days then begin at 1.'
      : 'Your proof was rejected, so you cannot opt in again unless an admin grants your appeal; your days then begin at 1.'
  return suspended
    ? 'Your account was suspended, so you cannot opt in again unless it is restored; your days then begin at 1.'
    : `You can opt in again on Google Play and confirm it in your test; your days then begin at 1. If you are still testing, do so within ${hours} hours to keep your seat.`
}

const ofTest = (testId: string) => ({ kind: 'TEST', id: testId }) as const
const ofTester = (id: string, testId: string) => ({ kind: 'TESTERS', id, testId }) as const

const keepThem = {
  LIST: 'Until you have applied for production access, do not replace that list with the whole file: add new addresses to it instead.',
  GROUP: 'Until you have applied for production access, do not remove them from it.',
}

type Outside = Pick<OptInEmailFacts['TESTERS_WAIT_FOR_LIST'], 'aliases' | 'keptOut' | 'inGroup'>

const whyOutside = (title: string, { aliases, keptOut, inGroup }: Outside): string => {
  const unlisted = aliases.filter(alias => !keptOut.includes(alias))
  const place = inGroup ? 'your Google Group' : 'the tester list in Play Console'
  return [
    ...(unlisted.length > 0 ? [`${allOf(unlisted)} cannot open “${title}” until you add them to ${place}.`] : []),
    ...(keptOut.length > 0
      ? [
          `Google Play does not let ${allOf(keptOut)} in to “${title}”, although you confirmed the tester list. Look into what they reported, then export the list again and confirm it.`,
        ]
      : []),
  ].join(' ')
}

export const optInEmails: { [K in keyof OptInEmailFacts]: (facts: OptInEmailFacts[K]) => Email } = {
  TESTERS_WAIT_FOR_LIST: ({ campaignId, title, since, mayLeaveAt, ...who }) => ({
    subject: `Testers are waiting to get in: ${title}`,
    text: `${whyOutside(title, who)} The first of them has waited since ${format(since)}. Testers who wait for a week may leave with one day’s pay, the first on ${format(mayLeaveAt)}, and their seats are then closed.`,
    about: { kind: 'TESTER_LIST', id: campaignId },
  }),
  TESTER_NOT_LET_IN_OWNER: ({ campaignId, testId, title, alias, says, inGroup, check, mayLeaveAt }) => ({
    subject: `${alias} cannot get in: ${title}`,
    text: `You confirmed that ${alias} is ${inGroup ? 'in your Google Group' : 'on your tester list'}, but Google Play does not let them in to “${title}”: it says that ${says}. ${check} Then export the tester list again and confirm it. Until then they are waiting for you. From ${format(mayLeaveAt)}, after a week, they may leave with one day’s pay, and their seat is then closed.`,
    about: { kind: 'TESTER_LIST', id: campaignId, testId },
  }),
  TESTER_NOT_LET_IN_ADMIN: ({ campaignId, testId, title, alias, says }) => ({
    subject: `Not let in for the second time: ${title}`,
    text: `${alias} reported for the second time that Google Play does not let them in to “${title}”, although the developer confirmed the tester list twice: it says that ${says}. They cannot report it again. If you doubt that the developer is really adding testers to the list, write to them.`,
    about: ofTester(campaignId, testId),
  }),
  WAITING_MAY_LEAVE: ({ testId, title, amountCents, endsAt }) => ({
    subject: `Still waiting to get in: ${title}`,
    text: `The developer of “${title}” has not let you in for a week. You may leave now with one day’s pay (${formatCents(amountCents)}). If you still cannot get in on ${format(endsAt)}, the test ends automatically with the same pay.`,
    about: ofTest(testId),
  }),
  WAITING_ENDED: ({ testId, title, amountCents }) => ({
    subject: `Ended: ${title}`,
    text: `The developer of “${title}” did not let you in within two weeks, so the test has ended. ${formatCents(amountCents)}, one day’s pay, was added to your balance.`,
    about: ofTest(testId),
  }),
  WAITING_ENDED_OWNER: ({ campaignId, testId, title, alias, amountCents, surplus }) => ({
    subject: `A seat is closed: ${title}`,
    text: `${alias} was never let in to “${title}” and has left with one day’s pay, ${formatCents(amountCents)}. The seat is closed, and what is left of its pay and fee ${goesBack[surplus]}`,
    about: ofTester(campaignId, testId),
  }),
  OPT_IN_LATE: ({ testId, title, dropsAt, hours, mayReport }) => ({
    subject: `Opt in on Google Play: ${title}`,
    text: `You have not been opted in to “${title}” for ${hours} hours. Opt in on Google Play and confirm it in your test before ${format(dropsAt)} to keep your seat.${mayReport ? ' If Google Play does not let you in, report that in your test instead: the developer is asked to look into it, and until then nothing is due.' : ''}`,
    about: ofTest(testId),
  }),
  OPT_IN_LATE_OWNER: ({ campaignId, testId, title, alias, dropsAt, hours }) => ({
    subject: `${alias} may drop out of ${title}`,
    text: `${alias} has not been opted in to “${title}” for ${hours} hours. If they do not opt in, they lose their seat on ${format(dropsAt)}.`,
    about: ofTester(campaignId, testId),
  }),
  TESTER_OPTED_OUT_OWNER: ({ campaignId, testId, title, alias, dropsAt }) => ({
    subject: `${alias} opted out: ${title}`,
    text: `${alias} opted out of “${title}” on Google Play. Their unbroken days have ended; if they opt in again, they begin at day 1.${dropsAt === null ? '' : ` If they do not, they lose their seat on ${format(dropsAt)}.`}`,
    about: ofTester(campaignId, testId),
  }),
  TESTER_DELETED_OWNER: ({ campaignId, testId, title, alias, inGroup, contested = false, cost }) => ({
    subject: `${alias} deleted their account: ${title}`,
    text: `${alias} deleted their account, so their address is erased, and no export of the tester list can contain it. ${contested ? 'You contested their opt-in. If it counts again, they' : 'They'} count towards your date for “${title}” as long as they stay ${inGroup ? 'in your Google Group' : 'on the list in Play Console'}. ${keepThem[inGroup ? 'GROUP' : 'LIST']}${cost === null ? '' : ` If you remove them today, ${cost}.`}`,
    about: { kind: 'TESTER_LIST', id: campaignId, testId },
  }),
  OPT_IN_CONTESTED: ({ testId, title, reason, clearsAt }) => ({
    subject: `The developer doubts your opt-in: ${title}`,
    text: `The developer of “${title}” doubts that you are opted in on Google Play:\n\n${reason}\n\nOpen the link of your test with the account shown there and see whether Google Play says that you are a tester. Your days, check-ins and pay continue in the meantime. Unless an admin decides otherwise, your opt-in counts again on ${format(clearsAt)}.`,
    about: ofTest(testId),
  }),
  OPT_IN_CLEARED: ({ testId, title, note }) => ({
    subject: `Your opt-in counts: ${title}`,
    text: `Your opt-in to “${title}” counts from its first day.${withNote(note)}`,
    about: ofTest(testId),
  }),
  OPT_IN_CLEARED_OWNER: ({ campaignId, testId, title, alias, note }) => ({
    subject: `${alias}’s opt-in counts: ${title}`,
    text: `The opt-in of ${alias} to “${title}” that you contested counts from its first day.${withNote(note)}`,
    about: ofTester(campaignId, testId),
  }),
  OPT_IN_VOIDED: ({ testId, title, note, ...of }) => ({
    subject: `Your opt-in does not count: ${title}`,
    text: `An admin decided that your opt-in to “${title}” does not count:\n\n${note}\n\n${whetherYouMayOptInAgain(of)}`,
    about: ofTest(testId),
  }),
  OPT_IN_VOIDED_OWNER: ({ campaignId, testId, title, alias, note, frozen, gone = false }) => ({
    subject: `${alias}’s opt-in does not count: ${title}`,
    text: `An admin decided that the opt-in of ${alias} to “${title}” does not count:\n\n${note}\n\n${gone ? 'Their account is suspended or was deleted, so they cannot opt in again.' : mayOptInAgain(frozen)}`,
    about: ofTester(campaignId, testId),
  }),
  NUDGE: ({ testId, title, step }) => ({
    subject: `A reminder from the developer: ${title}`,
    text: `The developer of “${title}” is reminding you of your next step. ${steps[step]}`,
    about: ofTest(testId),
  }),
}
