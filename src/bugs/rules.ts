/** Who may do what with a bug, and when. Pure; shared by the server and the screens. */
import { DomainError } from '../kit/errors.ts'
import type { Role } from '../kit/roles.ts'
import {
  type AtTheDoor,
  isFrozen,
  lastingRunStatuses,
  linkWaitsForNda,
  runStatuses,
} from '../participations/situation.ts'
import type { BugSummary } from './contract.ts'
import {
  type BugAction,
  type BugSeverity,
  type BugStatus,
  mostBugsPerDay,
  mostBugsPerTest,
  mostCommentsPerBug,
  mostCommentsPerDay,
  mostDecisionsPerBug,
  mostEntriesPerDay,
  type RetestResult,
} from './terms.ts'

type Step = { by: readonly Role[]; from: readonly BugStatus[] }

const deciders = ['DEVELOPER', 'ADMIN'] as const
const undecided = ['OPEN', 'CONFIRMED'] as const
const everyStatus = ['OPEN', 'CONFIRMED', 'DUPLICATE', 'FIXED', 'WONT_FIX'] as const

/** A retest must also have been requested; for a duplicate, the request depends on its original. */
export const lifecycle: Record<BugAction, Step> = {
  confirm: { by: deciders, from: ['OPEN'] },
  markFixed: { by: deciders, from: undecided },
  markDuplicate: { by: deciders, from: undecided },
  wontFix: { by: deciders, from: undecided },
  reopen: { by: deciders, from: ['DUPLICATE', 'FIXED', 'WONT_FIX'] },
  setSeverity: { by: deciders, from: everyStatus },
  comment: { by: ['DEVELOPER', 'TESTER', 'ADMIN'], from: everyStatus },
  retest: { by: ['TESTER'], from: ['FIXED', 'DUPLICATE'] },
}

/** The decision that leads to each status. */
export const actionTo = {
  OPEN: 'reopen',
  CONFIRMED: 'confirm',
  DUPLICATE: 'markDuplicate',
  FIXED: 'markFixed',
  WONT_FIX: 'wontFix',
} as const satisfies Record<BugStatus, BugAction>

export const statusWords: Record<BugStatus, string> = {
  OPEN: 'Open',
  CONFIRMED: 'Confirmed',
  DUPLICATE: 'Duplicate',
  FIXED: 'Fixed',
  WONT_FIX: 'Won’t fix',
}

export const severityWords: Record<BugSeverity, string> = {
  CRITICAL: 'Critical',
  HIGH: 'High',
  MEDIUM: 'Medium',
  LOW: 'Low',
}

export const retestWords: Record<RetestResult | 'ASKED', string> = {
  ASKED: 'Asked',
  WORKS: 'Works now',
  STILL_BROKEN: 'Still broken',
}

/** The result of the last retest, if it still holds: a bug that is not fixed any more does not work now. */
export const resultThatHolds = (result: RetestResult | null, isFixed: boolean): RetestResult | null =>
  result === 'WORKS' && !isFixed ? null : result

type Retested = Pick<BugSummary, 'status' | 'duplicateOf' | 'retest' | 'canTestAgain'>

/**
 * The answer to the last question; a duplicate depends on its original. Null if there was no question, it was withdrawn, or nobody
 * can answer.
 */
export const retestOf = ({ status, duplicateOf, retest, canTestAgain }: Retested): RetestResult | 'ASKED' | null => {
  if (retest === null || retest.withdrawnAt !== null) return null
  if (retest.result === null) return canTestAgain ? 'ASKED' : null
  return resultThatHolds(retest.result, status === 'FIXED' || duplicateOf?.status === 'FIXED')
}

export type BugSituation = { number: number; status: BugStatus; comments: number; retestAsked: boolean }

const may = (action: BugAction, { status, comments, retestAsked }: BugSituation) =>
  lifecycle[action].from.includes(status) &&
  (action !== 'retest' || retestAsked) &&
  (action !== 'comment' || comments < mostCommentsPerBug)

export const allowedActions = (role: Role, bug: BugSituation): BugAction[] =>
  (Object.keys(lifecycle) as BugAction[]).filter(action => lifecycle[action].by.includes(role) && may(action, bug))

const inStatus: Record<BugStatus, string> = {
  OPEN: 'open',
  CONFIRMED: 'confirmed',
  DUPLICATE: 'marked as a duplicate',
  FIXED: 'fixed',
  WONT_FIX: 'closed as won’t fix',
}

const wrongState = (message: string) => new DomainError('WRONG_STATE', message)

/** Checks only the bug. Which roles may act is defined in the contract. */
export const assertMay = (action: BugAction, bug: BugSituation): void => {
  if (may(action, bug)) return
  if (action === 'retest') throw wrongState(`Bug #${bug.number} is not waiting for a retest.`)
  if (action === 'comment')
    throw new DomainError(
      'LIMIT_REACHED',
      `Bug #${bug.number} has reached the limit of ${mostCommentsPerBug} comments.`,
    )
  throw wrongState(
    action === 'reopen' || bug.status === 'OPEN' || bug.status === 'CONFIRMED'
      ? `Bug #${bug.number} is already ${inStatus[bug.status]}.`
      : `Bug #${bug.number} is ${inStatus[bug.status]}. Reopen it first.`,
  )
}

/** Limits do not apply to admins. */
export const isCounted = (role: Role): boolean => role !== 'ADMIN'

const beyond = (limit: string) => new DomainError('LIMIT_REACHED', `You have reached the limit of ${limit}.`)

/** What the author has written on bugs in the last 24 hours: comments, and entries of every kind. */
export type Written = { comments: number; entries: number }

export const assertMayWrite = (role: Role, { comments, entries }: Written): void => {
  if (role === 'TESTER' && comments >= mostCommentsPerDay)
    throw beyond(`${mostCommentsPerDay} comments on bugs in 24 hours. Continue tomorrow`)
  if (role === 'DEVELOPER' && entries >= mostEntriesPerDay)
    throw beyond(`${mostEntriesPerDay} comments and decisions on bugs in 24 hours. Continue tomorrow`)
}

/** `decisions`: how many were made on the bug so far. */
export const assertMayDecide = (number: number, decisions: number): void => {
  if (decisions >= mostDecisionsPerBug)
    throw new DomainError(
      'LIMIT_REACHED',
      `Bug #${number} has reached the limit of ${mostDecisionsPerBug} decisions. You can still comment on it.`,
    )
}

const atOriginal = (message: string) => new DomainError('INVALID_INPUT', message, { fields: { duplicateOf: message } })

/** Prevents chains: a duplicate refers to the bug on which work is done. */
export const assertOriginal = (
  bug: { id: string },
  original: { id: string; number: number; originalNumber: number | null } | undefined,
): void => {
  if (!original) throw atOriginal('There is no such bug in this campaign.')
  if (original.id === bug.id) throw atOriginal('A bug cannot be a duplicate of itself.')
  if (original.originalNumber !== null)
    throw atOriginal(`#${original.number} is itself a duplicate. Choose #${original.originalNumber}.`)
}

export type ReportingTest = InCampaign & { bugs: number; bugsToday: number }

/** Includes verified testers while the campaign runs, because in a closed test its testers stay. */
const isTesting = ({ status, campaignClosedAt }: AtTheDoor) =>
  runStatuses.some(each => each === status) && (status !== 'VERIFIED' || campaignClosedAt === null)

export const mayReport = (test: AtTheDoor): boolean => isTesting(test) && !linkWaitsForNda(test)

/** True if only the NDA keeps the tester from reporting. */
export const reportsWaitForNda = (test: AtTheDoor): boolean => isTesting(test) && linkWaitsForNda(test)

/** A tester has left if they gave up the seat or lost it for good. A verified tester has done the work, and has not left. */
const hasLeft = ({ status, isClosed }: InCampaign) =>
  !lastingRunStatuses.some(each => each === status) || (isClosed && isFrozen({ status }))

export type InCampaign = AtTheDoor & { isClosed: boolean }

/** Other testers' bugs and the change log reveal as much as the app, so they are only for testers who may have the app. */
export const isOutside = (test: InCampaign): boolean => hasLeft(test) || linkWaitsForNda(test)

export const assertDoorIsOpen = (test: InCampaign): void => {
  if (!isOutside(test)) return
  if (isTesting(test)) throw wrongState('Accept the NDA of this test first. You can then report bugs.')
  throw wrongState(
    `Your test is over${hasLeft(test) ? '' : ', and you did not accept its NDA'}, so you cannot see what others reported.`,
  )
}

export const assertMayReport = (test: ReportingTest): void => {
  if (!isTesting(test)) throw wrongState('Your test is over, so you can no longer report bugs for it.')
  assertDoorIsOpen(test)
  if (test.bugsToday >= mostBugsPerDay)
    throw new DomainError(
      'LIMIT_REACHED',
      `You have reached the limit of ${mostBugsPerDay} bug reports in 24 hours. Continue tomorrow.`,
    )
  if (test.bugs >= mostBugsPerTest)
    throw new DomainError(
      'LIMIT_REACHED',
      `You have reached the limit of ${mostBugsPerTest} bug reports for this test.`,
    )
}
