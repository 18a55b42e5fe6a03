/** When an admin can settle what a developer owes for a lost dispute, and give it back (decision 054). Pure. */
import type { Cents } from '../kit/money.ts'
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
