/** What cancelling does with a campaign's money; mirrors the SQL function cancel_campaign. */
import { type Cents, proRata } from '../../kit/money.ts'
import { earnedByTesters, feeEarned, feeOf } from '../seats.ts'

export type Settlement = {
  /** Pay and fee of the verified tests, and the pay of testers who waited in vain to be listed. */
  spentCents: Cents
  /** The pay of active testers for their days. */
  daysDoneCents: Cents
  /** Pay and fee held until the submitted proofs are reviewed. */
  heldCents: Cents
  refundCents: Cents
}

type Paid = Parameters<typeof feeOf>[0]

/** `days`: the paid days of each active tester; `underReview`: the number of proofs awaiting a decision. */
export const settle = (campaign: Paid, days: readonly number[], underReview: number): Settlement => {
  const { payPerTesterCents, durationDays, fundedCents, feeCents } = campaign
  const spentCents = earnedByTesters(campaign) + feeEarned(campaign)
  const heldCents = underReview * payPerTesterCents + feeOf(campaign, underReview)
  const daysDoneCents = days.reduce((sum, done) => sum + proRata(payPerTesterCents, done, durationDays), 0)
  const refundCents = fundedCents + feeCents - spentCents - heldCents - daysDoneCents
  return { spentCents, daysDoneCents, heldCents, refundCents }
}
