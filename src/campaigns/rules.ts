/**
 * The rules of a campaign (product.md §2): who may do what in which state, and its progress; its cost is in quote.ts. Pure and
 * shared: the server refuses according to this table, and screens render their buttons from it.
 */
import type { Instant } from '../kit/clock.ts'
import { DomainError, type FieldErrors } from '../kit/errors.ts'
import { type Cents, formatCents, percentOf } from '../kit/money.ts'
import { anyOf, counted } from '../kit/words.ts'
import type { CampaignAction, CampaignChange, CampaignStatus } from './contract.ts'
import { freeSeats } from './seats.ts'
import type { AccessMode } from './terms.ts'

/** Joined testers as a share of those required, in whole percent (spec §4). */
export const progressPercent = (joined: number, required: number): number => percentOf(joined, required)

/** `drafts`: how many the developer has already. */
export const assertMayDraft = (drafts: number, most: number): void => {
  if (drafts < most) return
  const sentence = `You have reached the limit of ${counted(most, 'draft')}. Pay for or cancel one before you create another.`
  throw new DomainError('LIMIT_REACHED', sentence)
}

/** The caller's relation to the campaign; a stranger is another developer. */
export type Viewer = 'OWNER' | 'ADMIN' | 'TESTER' | 'STRANGER'

type Step = {
  by: readonly Viewer[]
  from: readonly CampaignStatus[]
  /** The next state; null leaves it unchanged. */
  to: CampaignStatus | null
  /** "You cannot … a campaign that is live." */
  verb: string
}

const openStates = ['DRAFT', 'PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'LIVE', 'PAUSED'] as const

export const lifecycle: Record<CampaignAction, Step> = {
  update: { by: ['OWNER'], from: ['DRAFT', 'REJECTED', 'LIVE', 'PAUSED'], to: null, verb: 'edit' },
  fund: { by: ['OWNER'], from: ['DRAFT'], to: 'PENDING_APPROVAL', verb: 'fund' },
  renew: {
    by: ['OWNER'],
    from: ['PENDING_APPROVAL', 'APPROVED', 'LIVE', 'PAUSED'],
    to: null,
    verb: 'make a new payment for',
  },
  // After a rejection an edit makes it a draft again.
  submit: { by: ['OWNER'], from: ['DRAFT'], to: 'PENDING_APPROVAL', verb: 'submit' },
  approve: { by: ['ADMIN'], from: ['PENDING_APPROVAL'], to: 'APPROVED', verb: 'approve' },
  reject: { by: ['ADMIN'], from: ['PENDING_APPROVAL'], to: 'REJECTED', verb: 'reject' },
  approveLink: { by: ['ADMIN'], from: ['LIVE', 'PAUSED'], to: null, verb: 'approve the link of' },
  rejectLink: { by: ['ADMIN'], from: ['LIVE', 'PAUSED'], to: null, verb: 'reject the link of' },
  start: { by: ['OWNER'], from: ['APPROVED', 'PAUSED'], to: 'LIVE', verb: 'start' },
  pause: { by: ['OWNER', 'ADMIN'], from: ['LIVE'], to: 'PAUSED', verb: 'pause' },
  closeSeat: { by: ['OWNER'], from: ['LIVE', 'PAUSED'], to: null, verb: 'close a seat in' },
  cancel: { by: ['OWNER', 'ADMIN'], from: openStates, to: 'CANCELLED', verb: 'cancel' },
  join: { by: ['TESTER'], from: ['LIVE'], to: null, verb: 'join' },
  enterBench: { by: ['TESTER'], from: ['LIVE'], to: null, verb: 'wait for a seat in' },
}

export const statusWords: Record<CampaignStatus, string> = {
  DRAFT: 'a draft',
  PENDING_APPROVAL: 'awaiting approval',
  APPROVED: 'approved',
  REJECTED: 'rejected',
  LIVE: 'live',
  PAUSED: 'paused',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
}

/** What the rules need to know about the campaign. */
export type Situation = {
  status: CampaignStatus
  outstandingCents: Cents
  seatsTaken: number
  closedSeats: number
  /** Seats that are held for testers on the bench. */
  offeredSeats: number
  /** Testers on the bench who were promised a seat, and cannot take it while the campaign takes nobody. */
  promisedSeats: number
  benchTesters: number
  testersRequired: number
  /** Whether the tester is or was in it. */
  joinedBefore: boolean
  /** A payment of it is disputed, or was taken back, so nobody else can join. */
  takesNobody: boolean
  /** The new payment that is due because the old one has been in escrow for too long; null unless an admin has requested it. */
  renewalCents: Cents | null
  /** Whether the provider is working on a payment. Nobody can finish it by hand: everybody waits for the result. */
  paymentIsOnItsWay: boolean
  /** Whether a changed link waits for an admin. */
  linkWaits: boolean
}

/** Conditions on money, seats or the link, which the table does not have. */
const conditions: Partial<Record<CampaignAction, (situation: Situation) => boolean>> = {
  fund: ({ outstandingCents, paymentIsOnItsWay }) => outstandingCents > 0 && !paymentIsOnItsWay,
  renew: ({ renewalCents, takesNobody, paymentIsOnItsWay }) =>
    renewalCents !== null && !takesNobody && !paymentIsOnItsWay,
  submit: ({ outstandingCents }) => outstandingCents <= 0,
  // The campaign's time would run out while nobody can join.
  start: ({ status, takesNobody }) => status !== 'APPROVED' || !takesNobody,
  approveLink: ({ linkWaits }) => linkWaits,
  rejectLink: ({ linkWaits }) => linkWaits,
  closeSeat: situation => freeSeats(situation) > situation.promisedSeats,
  join: situation => freeSeats(situation) > 0 && !situation.joinedBefore && !situation.takesNobody,
  enterBench: situation =>
    freeSeats(situation) <= 0 &&
    situation.benchTesters < situation.testersRequired &&
    !situation.joinedBefore &&
    !situation.takesNobody,
}

const canAct = (action: CampaignAction, viewer: Viewer, situation: Situation) =>
  lifecycle[action].by.includes(viewer) &&
  lifecycle[action].from.includes(situation.status) &&
  (conditions[action]?.(situation) ?? true)

/** Everything this viewer may do now, in the table's order. */
export const allowedActions = (viewer: Viewer, situation: Situation): CampaignAction[] =>
  (Object.keys(lifecycle) as CampaignAction[]).filter(action => canAct(action, viewer, situation))

/** WRONG_STATE, with a message that names the campaign's state and the possible actions (product.md §2). */
export const wrongState = (action: CampaignAction, viewer: Viewer, situation: Situation): DomainError => {
  const allowed = allowedActions(viewer, situation)
    .map(name => lifecycle[name].verb)
    // A verb such as "close a seat in" does not fit before "it".
    .filter(verb => !/ (of|in)$/.test(verb))
  const instead = allowed.length > 0 ? ` You can ${anyOf(allowed)} it.` : ''
  return new DomainError(
    'WRONG_STATE',
    `This campaign is ${statusWords[situation.status]}, so you cannot ${lifecycle[action].verb} it.${instead}`,
  )
}

export const assertCan = (action: CampaignAction, viewer: Viewer, situation: Situation): void => {
  if (action === 'submit' && situation.outstandingCents > 0 && lifecycle.submit.from.includes(situation.status)) {
    throw new DomainError(
      'WRONG_STATE',
      `Pay the outstanding ${formatCents(situation.outstandingCents)} before you submit this campaign.`,
    )
  }
  if (action === 'start' && viewer === 'OWNER' && situation.status === 'APPROVED' && situation.takesNobody) {
    throw new DomainError(
      'WRONG_STATE',
      'The payment for this campaign is disputed. You can start the campaign once the bank has decided in your favor.',
    )
  }
  if (['approveLink', 'rejectLink'].includes(action) && viewer === 'ADMIN' && !situation.linkWaits) {
    throw new DomainError('WRONG_STATE', 'No changed link of this campaign is waiting for approval.')
  }
  if (
    action === 'closeSeat' &&
    lifecycle.closeSeat.from.includes(situation.status) &&
    !conditions.closeSeat!(situation)
  ) {
    const { offeredSeats, promisedSeats } = situation
    const held =
      offeredSeats + promisedSeats > 0 ? ' One that is held for a tester on the bench stays open for 24 hours.' : ''
    throw new DomainError('WRONG_STATE', `This campaign has no free seat to close.${held}`)
  }
  if (action === 'renew' && lifecycle.renew.from.includes(situation.status) && situation.renewalCents === null) {
    throw new DomainError('WRONG_STATE', 'You have not been asked for a new payment for this campaign.')
  }
  if (!canAct(action, viewer, situation)) throw wrongState(action, viewer, situation)
}

const wrongAmount = (outstandingCents: Cents): DomainError => {
  const message =
    outstandingCents > 0
      ? `The amount must be the outstanding ${formatCents(outstandingCents)} (${outstandingCents} cents).`
      : 'Nothing is outstanding: submit the campaign for approval.'
  return new DomainError('WRONG_AMOUNT', message, { fields: { amountCents: message } })
}

/** The owner's payment must be what is outstanding, to the cent (product.md §2). */
export const assertFundable = (situation: Situation, amountCents: Cents): void => {
  const { status, outstandingCents } = situation
  if (lifecycle.fund.from.includes(status) && amountCents !== outstandingCents) throw wrongAmount(outstandingCents)
  assertCan('fund', 'OWNER', situation)
}

/** The owner's new payment must be exactly what is in escrow now: testers may have been paid from it meanwhile. */
export const assertRenewable = (situation: Situation, amountCents: Cents): void => {
  assertCan('renew', 'OWNER', situation)
  const { renewalCents } = situation
  if (renewalCents === null || (renewalCents === amountCents && renewalCents > 0)) return
  const message =
    renewalCents > 0
      ? `The amount must be the ${formatCents(renewalCents)} (${renewalCents} cents) now in escrow.`
      : 'Nothing is left in escrow, so no new payment is needed.'
  throw new DomainError('WRONG_AMOUNT', message, { fields: { amountCents: message } })
}

/** The campaign is over for good, and nobody has to do anything more. */
export const hasEnded = (status: CampaignStatus): boolean => status === 'COMPLETED' || status === 'CANCELLED'

/** The campaign has started and has not ended, so testers may be inside. */
export const isRunning = (status: CampaignStatus): boolean => status === 'LIVE' || status === 'PAUSED'

const changeableWhileRunning: readonly (keyof CampaignChange)[] = [
  'title',
  'description',
  'distributionLink',
  'groupLink',
]

/** While it runs, only the texts and the links may change (product.md §2). */
export const assertChangeFits = (status: CampaignStatus, change: CampaignChange): void => {
  if (!isRunning(status)) return
  const message = `This cannot be changed while the campaign is ${statusWords[status]}.`
  const fields = Object.fromEntries(
    (Object.keys(change) as (keyof CampaignChange)[])
      .filter(field => change[field] !== undefined && !changeableWhileRunning.includes(field))
      .map(field => [field, message]),
  )
  if (Object.keys(fields).length === 0) return
  throw new DomainError(
    'WRONG_STATE',
    `While a campaign is ${statusWords[status]}, only its title, description, distribution link and group link can be changed.`,
    { fields },
  )
}

/** Testers get in through a list in Play Console, so their days begin with the opt-in and not with joining. */
export const hasTesterList = (mode: AccessMode): boolean => mode !== 'OPEN_LINK'

/** An app file that testers install by hand, so Google Play does not know that they have it. */
export const isAppFile = (link: string): boolean =>
  URL.canParse(link) && /\.(apk|aab|apks|xapk)$/i.test(new URL(link).pathname)

export type Access = {
  accessMode: AccessMode
  groupLink: string | null
  platform: 'android' | 'ios'
  distributionLink: string
}

/** What the access mode requires of the other terms, as messages by field. */
export const accessProblems = (access: Access): FieldErrors => {
  const problems: FieldErrors = {}
  if (access.accessMode === 'GOOGLE_GROUP' && access.groupLink === null)
    problems['groupLink'] = 'Group link is required'
  if (!hasTesterList(access.accessMode)) return problems
  if (access.platform !== 'android')
    problems['accessMode'] = 'Tester lists are for Android apps on Google Play. Choose an open link.'
  if (isAppFile(access.distributionLink)) {
    problems['distributionLink'] =
      'A file that testers install by hand does not count for Google Play. Use the opt-in link from Play Console.'
  }
  return problems
}

export const assertAccessFits = (access: Access): void => {
  const fields = accessProblems(access)
  const [message] = Object.values(fields)
  if (message !== undefined) throw new DomainError('INVALID_INPUT', message, { fields })
}

/**
 * The admin decides on the submission that the screen showed, not on a later one, which may say something else or have another
 * NDA or feedback form.
 */
export const assertSubmissionWaits = (submittedAt: Instant | null, seen: Instant | undefined): void => {
  if (seen === undefined || seen === submittedAt) return
  throw new DomainError(
    'WRONG_STATE',
    'The developer has changed this campaign since you opened it. Look at the new version first.',
  )
}

export type PendingLinks = { pendingLink: string | null; pendingGroupLink: string | null }

/** The links that the admin saw waiting. If one is given, a missing other one means that the admin saw none. */
export type SeenLinks = { link?: string | undefined; groupLink?: string | null | undefined }

/** The admin decides on the links that the screen showed, not on one that has been added or has replaced it since. */
export const assertLinksWait = ({ pendingLink, pendingGroupLink }: PendingLinks, seen: SeenLinks): void => {
  if (seen.link === undefined && seen.groupLink === undefined) return
  if ((seen.link ?? null) === pendingLink && (seen.groupLink ?? null) === pendingGroupLink) return
  throw new DomainError('WRONG_STATE', 'The developer has changed this link again. Look at the new one first.')
}

/** Browsers warn before opening such a link, and anybody on the way can replace the app. Only advice: the form accepts it. */
export const isPlainHttp = (link: string): boolean => /^\s*http:\/\//i.test(link)
