/** The price of a campaign by the product's own formula, for the page's initial values and for typed ones. */
import { mayCost, quote } from '../../../campaigns/quote.ts'
import type { ChosenFigures } from '../../../campaigns/chosenFigures.ts'
import { type BasisPoints, type Cents, formatCents, formatRate, parseDollars } from '../../../kit/money.ts'
import { platformFee } from '../../../settings/terms.ts'

export type Sums = { key: 'pay' | 'fee' | 'total'; label: string; amount: string }[]

/** Null for values that the form of a new campaign would refuse. */
export const typedFigures = (testers: string, pay: string): ChosenFigures | null => {
  const [count, cents] = [/^\d{1,3}$/.test(testers.trim()) ? Number(testers) : Number.NaN, parseDollars(pay)]
  return cents !== null && mayCost(count, cents) ? { testersRequired: count, payPerTesterCents: cents } : null
}

/** Null for values that the form of a new campaign would refuse. */
export const calculated = (testers: string, pay: string, fee: BasisPoints = platformFee): Sums | null => {
  const figures = typedFigures(testers, pay)
  if (!figures) return null
  const { quotedPayCents, quotedFeeCents, totalCostCents } = quote(
    figures.testersRequired,
    figures.payPerTesterCents,
    fee,
  )
  return [
    { key: 'pay', label: 'Testers’ pay', amount: formatCents(quotedPayCents) },
    { key: 'fee', label: `Platform fee (${formatRate(fee)})`, amount: formatCents(quotedFeeCents) },
    { key: 'total', label: 'Total', amount: formatCents(totalCostCents) },
  ]
}

/** The most that each tester can earn if the campaign is to cost no more than `totalCents`. */
export const mostPayWithin = (totalCents: Cents, testers: number): Cents => {
  let pay = Math.floor(totalCents / testers)
  while (quote(testers, pay).totalCostCents > totalCents) pay--
  return pay
}
