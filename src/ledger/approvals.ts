/** Payouts above a limit: one admin releases a payout, and another confirms it (decision 055). Pure. */
import { daysAfter, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'
import type { Cents } from '../kit/money.ts'
import type { ApprovalOutcome, PayoutAction } from './terms.ts'

/** The limit covers everything a tester withdraws within this many days, so that splitting an amount does not get around it. */
const countedDays = 7

export const countedSince = (now: Instant): Instant => daysAfter(now, -countedDays)

/** The most that a tester can withdraw now without two admins; null where there is no limit. */
export const approvalAbove = (limitCents: Cents | null, uncheckedCents: Cents): Cents | null =>
  limitCents === null ? null : Math.max(0, limitCents - uncheckedCents)

export type ApprovalState = {
  outcome: ApprovalOutcome | null
  /** The admin who released it; null if nobody has, or if the release no longer counts. */
  releasedBy: string | null
  releaserName: string | null
  deciderName: string | null
  /** An earlier releaser who is no longer an admin. */
  formerReleaser: string | null
}

const outcomeWords: Record<Exclude<ApprovalOutcome, 'LAPSED'>, string> = {
  CONFIRMED: 'confirmed',
  REFUSED: 'refused',
}

/** Why this admin cannot take the action now; null when they can. */
const problemOf = (action: PayoutAction, payout: ApprovalState, adminId: string): string | null => {
  const { outcome, releasedBy, releaserName, deciderName, formerReleaser } = payout
  if (outcome === 'LAPSED')
    return 'This payout no longer needs approval: it was paid, or went back to the tester’s balance.'
  if (outcome !== null)
    return `This payout was already ${outcomeWords[outcome]}${deciderName === null ? '' : ` by ${deciderName}`}.`
  if (action === 'refuse') return null
  if (action === 'release') {
    if (releasedBy === adminId) return 'You have released this payout. Another admin has to confirm it.'
    return releasedBy === null ? null : `${releaserName} has released this payout. You can confirm it.`
  }
  if (releasedBy === adminId) return 'You have released this payout yourself. Another admin has to confirm it.'
  if (releasedBy !== null) return null
  return formerReleaser === null
    ? 'Nobody has released this payout yet. Release it, so that another admin can confirm it.'
    : `${formerReleaser}, who released this payout, is no longer an admin. Release it again, so that another admin can confirm it.`
}

export const assertMayDecide = (action: PayoutAction, payout: ApprovalState, adminId: string): void => {
  const problem = problemOf(action, payout, adminId)
  if (problem !== null) throw new DomainError('WRONG_STATE', problem)
}

const actions: readonly PayoutAction[] = ['release', 'confirm', 'refuse']

export const actionsOn = (payout: ApprovalState, adminId: string): PayoutAction[] =>
  actions.filter(action => problemOf(action, payout, adminId) === null)

/** A note for the admin beside the actions; null when there is nothing to say. */
export const blockedSentence = (
  { outcome, formerReleaser, releasedBy }: ApprovalState,
  { testerSuspended, admins }: { testerSuspended: boolean; admins: number },
): string | null => {
  if (outcome !== null) return null
  if (admins < 2)
    return 'You are the only active admin, so no one else can confirm it. Create another admin with npm run admin -- create, or refuse the payout to return the money to the tester’s balance.'
  if (formerReleaser !== null && releasedBy === null)
    return `${formerReleaser}, who released it, is no longer an admin, so it has to be released again.`
  return testerSuspended ? 'The tester is suspended: it is paid only once they are restored.' : null
}
