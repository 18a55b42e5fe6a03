/** What cancelling does with a campaign's money; mirrors the SQL function cancel_campaign. */
import { type Cents, proRata } from '../../kit/money.ts'
import type { Campaign } from '../contract.ts'

export type Settlement = {
  /** Pay and fee of the verified tests. */
  spentCents: Cents
  /** What active testers are paid for their days. */
  daysDoneCents: Cents
  /** Pay and fee held until the submitted proofs are reviewed. */
  heldCents: Cents
  refundCents: Cents
}

type Paid = Pick<
  Campaign,
  'testersRequired' | 'payPerTesterCents' | 'durationDays' | 'quotedFeeCents' | 'fundedCents' | 'feeCents' | '_count'
>

/** `days`: those of each active tester that are paid; `underReview`: the number of proofs awaiting a decision. */
export const settle = (campaign: Paid, days: readonly number[], underReview: number): Settlement => {
  const { payPerTesterCents, durationDays, quotedFeeCents, testersRequired, fundedCents, feeCents, _count } = campaign
  const seatCents = payPerTesterCents + proRata(quotedFeeCents, 1, testersRequired)
  const spentCents = _count.verified * seatCents
  const heldCents = underReview * seatCents
  const daysDoneCents = days.reduce((sum, done) => sum + proRata(payPerTesterCents, done, durationDays), 0)
  const refundCents = fundedCents + feeCents - spentCents - heldCents - daysDoneCents
  return { spentCents, daysDoneCents, heldCents, refundCents }
}
