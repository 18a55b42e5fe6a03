/**
 * Refunds that the payment provider permanently refuses: what an admin can do with one, and what happens next (decision 061).
 * Pure.
 */
import { DomainError } from '../kit/errors.ts'
import { type Cents, formatCents } from '../kit/money.ts'

/**
 * A refund that the payment provider permanently refuses. `PAID_TWICE`: the provider has paid it after all, and so did somebody
 * else.
 */
export const stuckStates = ['STUCK', 'TRYING', 'TO_CONFIRM', 'PAID_TWICE'] as const
export type StuckState = (typeof stuckStates)[number]
export const stuckActions = ['retry', 'pay', 'confirm', 'refuse', 'settle'] as const
export type StuckAction = (typeof stuckActions)[number]
/** The outcome of a record that a refund was paid by other means. LAPSED: the provider had paid it after all. */
export const outsideOutcomes = ['PAID', 'REFUSED', 'LAPSED'] as const
export type OutsideOutcome = (typeof outsideOutcomes)[number]
/** What became of money paid twice. CAME_BACK: the provider has it again. */
export const overOutcomes = ['CAME_BACK', 'SETTLED'] as const

export type StuckFacts = {
  isPaid: boolean
  isStuck: boolean
  /** An admin has asked for a retry, or an attempt is open, so the provider may still pay it. */
  isTried: boolean
  /** The bank may take the payment back, or has. */
  isDisputed: boolean
  /** The bank has not decided yet. */
  isDisputeOpen: boolean
  /** The data was restored since the last attempt, or is being restored. */
  isRestoredSince: boolean
  /** An admin recorded that it was paid by other means, and another admin has yet to confirm. */
  isRecorded: boolean
  /** The admin who recorded it; null if they are no longer active. */
  recordedBy: string | null
  recorderName: string | null
  /** What the developer got twice; null if nothing. */
  twiceCents: Cents | null
  /** The provider had paid too much of the same refund, and that has not come back. */
  wasOverpaid: boolean
}

const disputeOpen = 'The developer’s bank disputes the payment. Wait until the dispute is over.'

const notPayable = ({ isPaid, isStuck, isDisputed, isRecorded, recorderName }: StuckFacts): string | null => {
  if (isPaid) return 'This refund has already been paid.'
  if (!isStuck) return 'This refund is not stuck: we retry it automatically.'
  if (isRecorded)
    return `${recorderName} has recorded that it was paid by other means. Confirm it or discard the record first.`
  return isDisputed ? disputeOpen : null
}

const notRecorded = (facts: StuckFacts): string | null =>
  facts.isRecorded ? null : 'Nothing is waiting for confirmation: this refund has already been decided.'

const problems: Record<StuckAction, (facts: StuckFacts, adminId: string) => string | null> = {
  retry: facts => notPayable(facts) ?? (facts.isTried ? 'We are already asking the payment provider for it.' : null),
  pay: facts => {
    // Replaces the record of an admin who has left. If that record were discarded first, the refund would be owed again, and be set
    // off after a lost dispute.
    if (facts.isRecorded && facts.recordedBy === null) return facts.isDisputeOpen ? disputeOpen : null
    if (facts.isTried && !facts.isPaid)
      return 'We have asked the payment provider, which may still pay it. Wait for its answer.'
    if (facts.isRestoredSince && !facts.isPaid)
      return 'The data was restored since this refund was last tried, so the payment provider may have paid it. Try again first: we then check with the provider whether it was paid.'
    return notPayable(facts)
  },
  confirm: (facts, adminId) => {
    if (!facts.isRecorded) return notRecorded(facts)
    if (facts.recordedBy === adminId) return 'You have recorded this payment yourself. Another admin has to confirm it.'
    if (facts.recordedBy === null)
      return `${facts.recorderName}, who recorded this payment, is no longer an admin. Record it again, so that another admin can confirm it.`
    // Once the bank has decided, a real payment can be confirmed even if the bank took the payment back: then the developer owes us
    // for it.
    return facts.isDisputeOpen ? disputeOpen : null
  },
  refuse: notRecorded,
  settle: ({ twiceCents }) => (twiceCents === null ? 'No part of this refund is paid twice anymore.' : null),
}

export const assertMayDecideStuck = (action: StuckAction, facts: StuckFacts, adminId: string): void => {
  const problem = problems[action](facts, adminId)
  if (problem !== null) throw new DomainError('WRONG_STATE', problem)
}

export const stuckActionsOn = (facts: StuckFacts, adminId: string): StuckAction[] =>
  stuckActions.filter(action => problems[action](facts, adminId) === null)

export const stuckStateOf = ({ twiceCents, isRecorded, isTried }: StuckFacts): StuckState => {
  if (twiceCents !== null) return 'PAID_TWICE'
  if (isRecorded) return 'TO_CONFIRM'
  return isTried ? 'TRYING' : 'STUCK'
}

const confirmNext = ({ recordedBy, recorderName }: StuckFacts, adminId: string, admins: number): string => {
  if (admins < 2)
    return 'You are the only active admin, so no one else can confirm it. Create another admin with npm run admin -- create, or discard the record.'
  if (recordedBy === null)
    return `${recorderName}, who recorded it, is no longer an admin: record it again, so that another admin can confirm it.`
  if (recordedBy === adminId) return 'You recorded it. It counts as paid once another admin confirms.'
  return `${recorderName} recorded it. It counts as paid once another admin confirms; until then the payment provider is not asked for it.`
}

/** What happens next, and what an admin has to do for it. */
export const nextSentence = (facts: StuckFacts, adminId: string, admins: number): string => {
  const { isDisputed, isRestoredSince, twiceCents, wasOverpaid } = facts
  switch (stuckStateOf(facts)) {
    case 'PAID_TWICE':
      return `The payment provider says that it has paid this after all, so the developer has ${formatCents(twiceCents ?? 0)} twice. Ask them to give it back, and settle it here.`
    case 'TO_CONFIRM':
      return confirmNext(facts, adminId, admins)
    case 'TRYING':
      return isDisputed
        ? 'It is tried again once the dispute over the payment has ended.'
        : 'The payment provider is being asked. If it refuses again, the refund stays here.'
    case 'STUCK':
      if (isDisputed) return 'The developer’s bank disputes the payment. Nothing is paid until the dispute has ended.'
      if (wasOverpaid)
        return 'The payment provider has paid more of this refund than was owed then. Find out who has that money before you pay it.'
      return isRestoredSince
        ? 'The data was restored since it was last tried. Try again first: the payment provider may have paid it.'
        : 'Nothing, unless you act. Ask the developer how to pay them, or try again once they have another card.'
  }
}
