/** The words below a figure. Nothing happened is nothing to say. */
import { type Cents, formatCents } from '../../kit/money.ts'

export const inWholes = (count: number) => count.toLocaleString('en-US')

/** "+2 this month", or with a word: "3 started this month". */
export const countedThisMonth = (count: number, word?: string) => {
  if (count <= 0) return undefined
  return word ? `${inWholes(count)} ${word} this month` : `+${inWholes(count)} this month`
}

/** "+$230.00 this month"; a minus when more came back than went in. */
export const centsThisMonth = (cents: Cents) => (cents === 0 ? undefined : `${signedCents(cents)} this month`)

const signedCents = (cents: Cents) => `${cents > 0 ? '+' : '−'}${formatCents(Math.abs(cents))}`

/** "+12%" and "−3 points"; the sign is the typographic minus that amounts carry. */
export const signed = (value: number, unit: string) =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${inWholes(Math.abs(value))}${unit}`

/** `2026-11` → "Nov" and "November 2026". */
export const monthShort = (month: string) => inUtc({ month: 'short' }, month)
export const monthLong = (month: string) => inUtc({ month: 'long', year: 'numeric' }, month)

const inUtc = (parts: Intl.DateTimeFormatOptions, month: string) =>
  new Intl.DateTimeFormat('en-US', { ...parts, timeZone: 'UTC' }).format(Date.parse(`${month}-01T00:00:00Z`))
