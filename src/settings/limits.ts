/**
 * Who may change the limit above which payouts take two admins: raising it or turning it off takes two as well (decision 062).
 * Pure.
 */
import { DomainError } from '../kit/errors.ts'
import type { Cents } from '../kit/money.ts'

export const limitActions = ['confirm', 'refuse'] as const
export type LimitAction = (typeof limitActions)[number]

const approvalNeedsTwo =
  'Payouts can wait for a second admin only while there are two. Create another admin first with npm run admin -- create.'
const loweringNeedsTwo =
  'Requiring two admins for fewer payouts, or for none, takes a second admin, and you are the only one. Create another admin first with npm run admin -- create.'

type Limit = Cents | null

export const protectsLess = (before: Limit, after: Limit): boolean =>
  before !== null && (after === null || after > before)

/** Both need a second admin who can agree. */
export const assertLimitHasTwo = (before: Limit, after: Limit, hasTwoAdmins: boolean): void => {
  if (hasTwoAdmins) return
  const message = protectsLess(before, after) ? loweringNeedsTwo : approvalNeedsTwo
  throw new DomainError('WRONG_STATE', message, { fields: { payoutApprovalCents: message } })
}

export type LimitState = {
  isOpen: boolean
  /** Who proposed it; null if they are no longer an active admin. */
  proposedBy: string | null
  proposerName: string
}

const problemOf = (action: LimitAction, { isOpen, proposedBy, proposerName }: LimitState, adminId: string) => {
  if (!isOpen) return 'This change has already been decided, or the limit has changed since.'
  if (action === 'refuse') return null
  if (proposedBy === adminId) return 'You have proposed this change yourself. Another admin has to confirm it.'
  return proposedBy === null
    ? `${proposerName}, who proposed this change, is no longer an admin. Refuse it, then propose it again.`
    : null
}

export const assertMayDecideLimit = (action: LimitAction, state: LimitState, adminId: string): void => {
  const problem = problemOf(action, state, adminId)
  if (problem !== null) throw new DomainError('WRONG_STATE', problem)
}

export const limitActionsOn = (state: LimitState, adminId: string): LimitAction[] =>
  limitActions.filter(action => problemOf(action, state, adminId) === null)
