/** Money that has been in escrow for too long (decision 060): when it starts to be watched, and what an admin can decide. Pure. */
import { daysAfter, type Instant } from '../kit/clock.ts'
import { DomainError } from '../kit/errors.ts'
import type { CampaignStatus } from './contract.ts'
import { lifecycle, statusWords } from './rules.ts'
import { type EscrowAction, escrowActions } from './terms.ts'

/** An admin has to decide after this many days in escrow; settle_charge.sql has the same number. */
export const decideAfterDays = 80
/** It is watched, and can be decided on, this many days before: from day 60. */
export const watchedDays = 20
/** An extension counts from the decision. */
export const extensionDays = 30

export type EscrowSituation = {
  status: CampaignStatus
  heldCents: number
  dueAt: Instant | null
  /** The developer has been asked for a new payment and has not made it yet. */
  renewalAskedAt: Instant | null
  /** A payment is disputed, or was taken back. */
  disputed: boolean
  /** The developer cannot sign in, and so cannot pay. */
  developerSuspended: boolean
}

/** A campaign whose money is due by then is watched now. */
export const watchedUntil = (now: Instant): Instant => daysAfter(now, watchedDays)

/** Why an admin cannot do that now; null when they can. */
const problemOf = (action: EscrowAction, situation: EscrowSituation, now: Instant): string | null => {
  const { status, heldCents, dueAt, renewalAskedAt, disputed, developerSuspended } = situation
  if (heldCents === 0 || dueAt === null) return 'This campaign no longer has money in escrow.'
  if (dueAt > watchedUntil(now)) return 'A decision on this campaign’s money has already been made.'
  if (action === 'cancel' && !lifecycle.cancel.from.includes(status))
    return `This campaign is ${statusWords[status]}: what is left in escrow is paid or refunded once its last tests are decided.`
  if (action === 'renew') {
    if (!lifecycle.renew.from.includes(status))
      return `This campaign is ${statusWords[status]}, so its developer cannot be asked for a new payment.`
    if (disputed) return 'A payment for this campaign is disputed, so its developer cannot be asked for a new payment.'
    if (developerSuspended) return 'This developer is suspended, so they cannot be asked for a new payment.'
    if (renewalAskedAt !== null) return 'The developer has already been asked for a new payment.'
  }
  return null
}

export const assertEscrowAction = (action: EscrowAction, situation: EscrowSituation, now: Instant): void => {
  const problem = problemOf(action, situation, now)
  if (problem !== null) throw new DomainError('WRONG_STATE', problem)
}

export const escrowActionsOn = (situation: EscrowSituation, now: Instant): EscrowAction[] =>
  escrowActions.filter(action => problemOf(action, situation, now) === null)
