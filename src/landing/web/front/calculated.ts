/** The price of a campaign by the product's own formula, for the page's initial values and for typed ones. */
import { mayCost, quote } from '../../../campaigns/quote.ts'
import { type BasisPoints, formatCents, formatRate, parseDollars } from '../../../kit/money.ts'
import { platformFee } from '../../../settings/terms.ts'

export type Sums = { key: 'pay' | 'fee' | 'total'; label: string; amount: string }[]

/** Null for values that the form of a new campaign would refuse. */
export const calculated = (testers: string, pay: string, fee: BasisPoints = platformFee): Sums | null => {
  const [count, cents] = [/^\d{1,3}$/.test(testers.trim()) ? Number(testers) : Number.NaN, parseDollars(pay)]
  if (cents === null || !mayCost(count, cents)) return null
  const { quotedPayCents, quotedFeeCents, totalCostCents } = quote(count, cents, fee)
  return [
    { key: 'pay', label: 'Testers’ pay', amount: formatCents(quotedPayCents) },
    { key: 'fee', label: `Platform fee (${formatRate(fee)})`, amount: formatCents(quotedFeeCents) },
    { key: 'total', label: 'Total', amount: formatCents(totalCostCents) },
  ]
}
