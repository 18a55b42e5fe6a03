/** What a cancellation does with the money of a campaign; the SQL function cancel_campaign does the same. */
import { type Cents, proRata } from '../../kit/money.ts'
import type { Campaign } from '../contract.ts'

export type Settlement = {
  /** Pay and fee of the tests that were verified before. */
  spentCents: Cents
  /** What testers inside get for the days they did. */
  daysDoneCents: Cents
  /** Pay and fee that stay until the proofs handed in are reviewed. */
  heldCents: Cents
  refundCents: Cents
}

type Paid = Pick<
  Campaign,
  'testersRequired' | 'payPerTesterCents' | 'durationDays' | 'quotedFeeCents' | 'fundedCents' | 'feeCents' | '_count'
>

/** `checkIns`: the days of each tester who is still testing; `underReview`: how many wait for a decision. */
export const settle = (campaign: Paid, checkIns: readonly number[], underReview: number): Settlement => {
  const { payPerTesterCents, durationDays, quotedFeeCents, testersRequired, fundedCents, feeCents, _count } = campaign
  const seatCents = payPerTesterCents + proRata(quotedFeeCents, 1, testersRequired)
  const spentCents = _count.verified * seatCents
  const heldCents = underReview * seatCents
  const daysDoneCents = checkIns.reduce((sum, days) => sum + proRata(payPerTesterCents, days, durationDays), 0)
  const refundCents = fundedCents + feeCents - spentCents - heldCents - daysDoneCents
  return { spentCents, daysDoneCents, heldCents, refundCents }
}
