import { type BasisPoints, type Cents, shareOf } from '../kit/money.ts'
import { platformFee } from '../settings/terms.ts'
import { limits } from './terms.ts'

export type Quote = { quotedPayCents: Cents; quotedFeeCents: Cents; totalCostCents: Cents }

/** What a campaign costs: the testers' pay and the fee on it, rounded to cents (spec §9). */
export const quote = (testersRequired: number, payPerTesterCents: Cents, fee: BasisPoints = platformFee): Quote => {
  const quotedPayCents = testersRequired * payPerTesterCents
  const quotedFeeCents = shareOf(quotedPayCents, fee)
  return { quotedPayCents, quotedFeeCents, totalCostCents: quotedPayCents + quotedFeeCents }
}

const within = (value: number, min: number, max: number) => Number.isInteger(value) && value >= min && value <= max

/** Whether a campaign may have these figures. Other figures get no price (spec §5). */
export const mayCost = (testersRequired: number, payPerTesterCents: Cents): boolean =>
  within(testersRequired, limits.minTesters, limits.maxTesters) &&
  within(payPerTesterCents, limits.minPayCents, limits.maxPayCents)
