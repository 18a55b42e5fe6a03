/**
 * The rules of a participation (product.md §3): who may do what when. Beside it: deadlines.ts, what happens without
 * anybody's action; optIn.ts, the way into a closed test; eligibility.ts, who may join. Pure; shared by the server and the
 * screens.
 */
import { daysAfter, hoursBetween, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'
import type { Role } from '../kit/roles.ts'
import { listPlaceOf } from '../campaigns/listPlace.ts'
import { hasTesterList } from '../campaigns/rules.ts'
import { campaignAsksForNone, isAsked, mayRefuse } from '../nda/rules.ts'
import type { ParticipationAction, ParticipationStatus } from './contract.ts'
import { appealEndsAt, leavesPaid } from './deadlines.ts'
import { mayReportNoAccessAt, nextStepOf } from './optIn.ts'
import {
  checkedInToday,
  countsFromOptIn,
  isFrozen,
  isOutForGood,
  isVerifiedToTheEnd,
  lastingRunStatuses,
  linkWaitsForNda,
  mustAcceptNda,
  nudgedToday,
  openStatuses,
  runStatuses,
  type Situation,
  waitsForList,
} from './situation.ts'
import { appealHours, maxChangeRequests, mostNoAccessReports, mostOptOuts } from './terms.ts'

export { aliasOf } from '../campaigns/alias.ts'

type Step = { by: readonly Role[]; from: readonly ParticipationStatus[]; verb: string }

const reviewer = ['DEVELOPER', 'ADMIN'] as const

export const lifecycle: Record<ParticipationAction, Step> = {
  openLink: { by: ['TESTER'], from: runStatuses, verb: 'open the link of' },
  reportNoAccess: { by: ['TESTER'], from: ['ACTIVE'], verb: 'report that Google Play does not let you in to' },
  optIn: { by: ['TESTER'], from: lastingRunStatuses, verb: 'opt in to' },
  optOut: { by: ['TESTER'], from: lastingRunStatuses, verb: 'opt out of' },
  acceptNda: { by: ['TESTER'], from: runStatuses, verb: 'accept the NDA of' },
  refuseNda: { by: ['TESTER'], from: ['ACTIVE', 'CHANGES_REQUESTED'], verb: 'refuse the NDA of' },
  checkIn: { by: ['TESTER'], from: ['ACTIVE'], verb: 'check in to' },
  submitProof: { by: ['TESTER'], from: ['ACTIVE', 'CHANGES_REQUESTED'], verb: 'submit a proof for' },
  leave: { by: ['TESTER'], from: ['ACTIVE', 'CHANGES_REQUESTED'], verb: 'leave' },
  // Also left by `leave`; bench.ts answers for tests that have no seat yet.
  acceptSeat: { by: ['TESTER'], from: ['WAITLISTED'], verb: 'accept a seat of' },
  verify: { by: reviewer, from: ['SUBMITTED'], verb: 'verify' },
  requestChanges: { by: reviewer, from: ['SUBMITTED'], verb: 'request changes to' },
  reject: { by: reviewer, from: ['SUBMITTED'], verb: 'reject' },
  nudge: { by: ['DEVELOPER'], from: runStatuses, verb: 'send a reminder about' },
  contestOptIn: { by: ['DEVELOPER'], from: lastingRunStatuses, verb: 'contest the opt-in of' },
  decideOptIn: { by: ['ADMIN'], from: lastingRunStatuses, verb: 'decide on the opt-in of' },
  appeal: { by: ['TESTER'], from: ['REJECTED'], verb: 'appeal the review of' },
  decideAppeal: { by: ['ADMIN'], from: ['APPEALED'], verb: 'decide on an appeal in' },
  decideRejection: { by: ['ADMIN'], from: ['SUBMITTED'], verb: 'decide on the rejection of' },
}

const statusWords: Record<ParticipationStatus, string> = {
  WAITLISTED: 'waiting for a seat',
  ACTIVE: 'active',
  SUBMITTED: 'under review',
  CHANGES_REQUESTED: 'waiting for changes to its proof',
  VERIFIED: 'verified',
  REJECTED: 'rejected',
  APPEALED: 'waiting for the decision on an appeal',
  DROPPED: 'over, because the seat was given up',
  CANCELLED: 'cancelled',
}

/** Made only for whoever is refused: `allowedActions` asks about every action of every test of a list. */
type Refusal = () => DomainError

const wrong =
  (sentence: string): Refusal =>
  () =>
    new DomainError('WRONG_STATE', sentence)

const limited =
  (sentence: string): Refusal =>
  () =>
    new DomainError('LIMIT_REACHED', sentence)

/** Nothing of a test begins before the NDA that joining asked for. */
const withoutNda = (situation: Situation): Refusal | null =>
  mustAcceptNda(situation)
    ? wrong(
        `Accept the NDA of this test first. ${hasTesterList(situation.accessMode) ? 'The developer can then let you in.' : 'You then get the app.'}`,
      )
    : null

/** Days pass, and proofs are taken, only while the tester is opted in. */
const withoutRun = (situation: Situation): Refusal | null => {
  if (!countsFromOptIn(situation) || situation.optedInAt !== null) return null
  return wrong(
    waitsForList(situation)
      ? `The developer has not added you to ${listPlaceOf(situation.accessMode).named} yet. Your days begin when you opt in.`
      : 'You are not opted in on Google Play. Opt in first, then confirm it here.',
  )
}

export const alreadyCheckedIn = (): DomainError =>
  new DomainError('ALREADY_CHECKED_IN', 'You have already checked in today. Come back tomorrow.')

const tooEarly =
  ({ timeZone }: Situation, from: Instant, sentence: (when: string) => string) =>
  (): DomainError => {
    const when = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
      Date.parse(from),
    )
    return new DomainError('TOO_EARLY', sentence(`${when} (${timeZone})`))
  }

const mayRequestChanges = ({ changesRequested, cannotSignIn }: Situation) =>
  changesRequested < maxChangeRequests && !cannotSignIn

/** A rejection is refused: only what is left is named. */
const orChanges = (situation: Situation) => (mayRequestChanges(situation) ? ', or request changes' : '')

/** Whoever takes the money back does not also decide that the work was worth nothing. */
export const whileDisputed = (situation: Situation): Refusal =>
  wrong(
    `The payment for this campaign is disputed, so its proofs cannot be rejected. Verify this one${orChanges(situation)}; without a review, it is verified automatically.`,
  )

const rejectProblem = (situation: Situation, by?: Role): Refusal | null => {
  const { consent, disputed } = situation
  if (disputed && by !== 'ADMIN') return whileDisputed(situation)
  if (consent === 'WAITING') return wrong('An admin has been asked to consent to the rejection of this proof.')
  return consent === 'REFUSED'
    ? wrong(`An admin did not consent to the rejection of this proof. Verify it${orChanges(situation)}.`)
    : null
}

/** Only whoever was let in on paper, has tried, and was never in. */
const noAccessProblem = (situation: Situation, now: Instant): Refusal | null => {
  const { accessMode, optedInAt, optedOutAt, linkOpenedAt, noAccessReports } = situation
  if (!hasTesterList(accessMode))
    return wrong('Anyone with the link can get into this test, so there is no tester list.')
  if (optedInAt !== null || optedOutAt !== null)
    return wrong('You have confirmed an opt-in to this test, so Google Play has let you in.')
  const undone = withoutNda(situation)
  if (undone) return undone
  // The list leaves them out until then.
  if (linkWaitsForNda(situation)) return wrong('Accept the NDA of this test first. You then get the link.')
  if (waitsForList(situation) && noAccessReports > 0)
    return wrong(
      'You have already reported this. The developer is looking into it, and we will tell you when to try again.',
    )
  if (waitsForList(situation))
    return wrong(
      `The developer has not added you to ${listPlaceOf(accessMode).named} yet. We will tell you as soon as that is done.`,
    )
  if (noAccessReports >= mostNoAccessReports)
    return limited(
      `You have reported ${mostNoAccessReports} times that Google Play does not let you in, which is the limit.`,
    )
  if (linkOpenedAt === null) return wrong('Open the link of this test first, with the account shown there.')
  const from = mayReportNoAccessAt(situation)
  if (from === null || now >= from) return null
  return tooEarly(
    situation,
    from,
    when => `It can take Google Play a few hours to let you in. If it still does not, you can report it from ${when}.`,
  )
}

const nudgeProblem = (situation: Situation, now: Instant): Refusal | null => {
  const step = nextStepOf(situation, now)
  if (step === 'WAIT_FOR_LIST')
    return wrong(
      situation.noAccessAt === null
        ? `This tester is waiting for you to add them to ${listPlaceOf(situation.accessMode).where}.`
        : 'This tester has reported that Google Play does not let them in: look into it, and confirm the tester list again.',
    )
  if (step === null || step === 'STAY') return wrong('This tester has nothing to do at the moment.')
  if (situation.cannotSignIn)
    return wrong('This tester’s account is suspended or was deleted, so a reminder would reach nobody.')
  if (!nudgedToday(situation, now)) return null
  return limited('You have already reminded this tester today. You can do so again tomorrow.')
}

/** What else stands in the way of an action that the status allows. */
const conditions: Partial<
  Record<ParticipationAction, (situation: Situation, now: Instant, by?: Role) => Refusal | null>
> = {
  openLink: situation =>
    linkWaitsForNda(situation) ? wrong('Accept the NDA of this test first. You then get the link.') : null,
  reportNoAccess: noAccessProblem,
  acceptNda: situation => {
    if (situation.ndaVersion === null) return campaignAsksForNone
    if (isVerifiedToTheEnd(situation)) return wrong('This campaign has ended, so you no longer need to accept its NDA.')
    return isAsked(situation) ? null : wrong('You have already accepted this NDA.')
  },
  refuseNda: (situation, now) =>
    mayRefuse(situation)
      ? null
      : wrong(
          `There is no changed NDA to refuse. You can leave the test ${leavesPaid(situation, now) ? 'with one day’s pay' : 'without pay'}.`,
        ),
  optIn: situation => {
    if (!hasTesterList(situation.accessMode))
      return wrong('This campaign has an open link: there is no opt-in, and your days count from joining.')
    if (!countsFromOptIn(situation)) return wrong('This campaign was cancelled, so its opt-ins no longer count.')
    if (isFrozen(situation) && situation.optedInAt === null)
      return wrong('Your proof was rejected, so you cannot opt in again unless an admin grants your appeal.')
    if (isOutForGood(situation))
      return limited(`You have opted out of this test ${mostOptOuts} times, so you cannot opt in to it again.`)
    return withoutNda(situation)
  },
  optOut: situation => {
    if (!hasTesterList(situation.accessMode))
      return wrong('This campaign has an open link, so there is no opt-in to end. You can leave the test instead.')
    return situation.optedInAt === null ? wrong('You are not opted in to this test.') : null
  },
  checkIn: (situation, now) =>
    withoutNda(situation) ?? withoutRun(situation) ?? (checkedInToday(situation, now) ? alreadyCheckedIn : null),
  submitProof: (situation, now) => {
    const { status, proofAllowedAt } = situation
    const early = status === 'ACTIVE' && proofAllowedAt !== null && now < proofAllowedAt
    return (
      withoutNda(situation) ??
      withoutRun(situation) ??
      (early ? tooEarly(situation, proofAllowedAt, when => `You can submit your proof from ${when}.`) : null)
    )
  },
  requestChanges: (situation, _now, by) => {
    if (mayRequestChanges(situation)) return null
    const why = situation.cannotSignIn
      ? 'This tester’s account is suspended, so nobody can change the proof.'
      : `Changes were requested ${maxChangeRequests} times, which is the limit.`
    return wrong(`${why} Verify${rejectProblem(situation, by) ? '' : ' or reject'} this proof.`)
  },
  reject: (situation, _now, by) => rejectProblem(situation, by),
  decideRejection: ({ consent }) =>
    consent === 'WAITING' ? null : wrong('No rejection of this proof waits for consent.'),
  nudge: nudgeProblem,
  contestOptIn: ({ optedInAt, contest }) => {
    if (optedInAt === null) return wrong('This tester is not opted in, so there is no opt-in to contest.')
    return contest === 'NONE'
      ? null
      : wrong('You have already contested this opt-in. Each one can be contested only once.')
  },
  decideOptIn: ({ optedInAt, contest }) =>
    optedInAt === null || contest !== 'OPEN' ? wrong('No contested opt-in of this tester waits for a decision.') : null,
  appeal: ({ frozenSince, appealed, downtimes }, now) => {
    if (appealed) return wrong('You have already appealed this rejection, and the decision is final.')
    if (frozenSince !== null && now < appealEndsAt(frozenSince, downtimes)) return null
    return wrong(`The ${appealHours} hours for an appeal are over, so the rejection is final.`)
  },
}

const notNow = (action: ParticipationAction, status: ParticipationStatus): Refusal =>
  wrong(`This test is ${statusWords[status]}, so you cannot ${lifecycle[action].verb} it.`)

/** For what asks for a seat while the tester waits for one. */
export const withoutSeat = (action: ParticipationAction): DomainError => notNow(action, 'WAITLISTED')()

const refusalOf = (action: ParticipationAction, situation: Situation, now: Instant, by?: Role): Refusal | null => {
  if (action === 'appeal' && situation.status === 'APPEALED')
    return wrong('You have appealed this rejection. An admin will decide.')
  if (!lifecycle[action].from.includes(situation.status)) return notNow(action, situation.status)
  return conditions[action]?.(situation, now, by) ?? null
}

/** Throws if the tester has submitted another proof than the one that the reviewer has `seen`; for a row that is locked. */
export const assertProofStands = (submittedAt: Instant | null, seen: Instant | undefined): void => {
  if (seen === undefined || submittedAt === null || Date.parse(seen) === Date.parse(submittedAt)) return
  throw new DomainError('WRONG_STATE', 'The tester has submitted another proof since. Read it before you decide.')
}

/** The error for an action that is not possible now; null when it is possible. */
export const refusal = (
  action: ParticipationAction,
  situation: Situation,
  now: Instant,
  by?: Role,
): DomainError | null => refusalOf(action, situation, now, by)?.() ?? null

/** With an open link the test itself shows the link; the call answers all the same. */
const isOffered = (action: ParticipationAction, { accessMode }: Situation) =>
  action !== 'openLink' || hasTesterList(accessMode)

export const allowedActions = (by: Role, situation: Situation, now: Instant): ParticipationAction[] =>
  (Object.keys(lifecycle) as ParticipationAction[]).filter(
    action =>
      lifecycle[action].by.includes(by) &&
      isOffered(action, situation) &&
      refusalOf(action, situation, now, by) === null,
  )

/** The seat is given back by an opt-out only while the days or the proof are still to come. */
export const givesSeatBack = ({ status }: Pick<Situation, 'status'>): boolean =>
  openStatuses.some(open => open === status) && status !== 'SUBMITTED'

/** A proof may be submitted once the campaign's days have passed since the test has begun, or since the opt-in. */
export const proofAllowedFrom = (start: Instant, durationDays: number): Instant => daysAfter(start, durationDays)

/** An admin may have decided that an opt-in never was. */
export const counts = ({ voided }: { voided?: boolean | undefined }): boolean => voided !== true

export type Span = { startedAt: Instant; endedAt: Instant | null }

/** The check-ins of a test, without those of an opt-in that an admin decided never was. */
export const checkInsThatCount = <T extends { voided?: boolean | undefined }>(checkIns: readonly T[]): T[] =>
  checkIns.filter(counts)

/**
 * The days that the tester of a cancelled campaign is paid for: those checked in, in any run that counts, or, where no daily
 * check-in is asked for, the whole 24 hours in its spans (since the test has begun, or all runs together that were not voided);
 * at most the campaign's. The SQL function days_tested counts the same.
 */
export const daysDone = (
  test: { dailyCheckIn: boolean; checkIns: number; spans: readonly Span[]; durationDays: number },
  now: Instant,
): number => {
  const hours = test.spans.reduce((sum, { startedAt, endedAt }) => sum + hoursBetween(startedAt, endedAt ?? now), 0)
  const days = test.dailyCheckIn ? test.checkIns : Math.max(0, Math.floor(hours / 24))
  return Math.min(days, test.durationDays)
}
