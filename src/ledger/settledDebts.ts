/** When an admin can settle what a developer owes for a lost dispute, and the amount that has to be typed (decision 054). Pure. */
import { DomainError } from '../kit/errors.ts'
import { type Cents, formatCents } from '../kit/money.ts'
import type { DisputeStatus } from './terms.ts'

export type DebtFacts = {
  status: DisputeStatus
  owedCents: Cents
  giveBackCents: Cents
  /** What follows from the campaign's disputes has not been done yet, and may cover some of the debt. */
  isUnsettled: boolean
}

export const whyNotSettle = ({ status, owedCents, isUnsettled }: DebtFacts): string | null => {
  if (status !== 'LOST' || owedCents === 0) return 'The developer owes nothing for this dispute.'
  return isUnsettled
    ? 'What the campaign does not need is still to be deducted from this debt. Try again in a few minutes or, if another payment of the campaign is disputed, once that is decided.'
    : null
}

export const whyNotGiveBack = ({ giveBackCents }: DebtFacts): string | null =>
  giveBackCents > 0 ? null : 'Nothing has to be given back to the developer.'

/** Refuses a part, and an amount that has changed since the admin looked. */
export const assertAll = (typedCents: Cents, dueCents: Cents): void => {
  if (typedCents === dueCents) return
  const message = `The amount must be all of it: ${formatCents(dueCents)} (${dueCents} cents).`
  throw new DomainError('WRONG_AMOUNT', message, { fields: { amountCents: message } })
}
