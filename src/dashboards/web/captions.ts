/** Captions below a figure; undefined if there is nothing to report. */
import { type Cents, formatCents } from '../../kit/money.ts'
import { once } from '../../kit/once.ts'
import { counted, grouped } from '../../kit/words.ts'

export const formatCount = (count: number) => grouped(count)

/** "3 started this month", for a figure that can also go down, so this is not its difference from last month. */
export const countedThisMonth = (count: number, verb: string) =>
  count > 0 ? `${formatCount(count)} ${verb} this month` : undefined

/** "+2 from last month": the figure was this much lower at the end of last month. */
export const countFromLastMonth = (count: number) => (count > 0 ? `+${formatCount(count)} from last month` : undefined)

/** "+26 seats from last month". */
export const seatsFromLastMonth = (count: number) =>
  count > 0 ? `+${counted(count, 'seat')} from last month` : undefined

/** "+$230.00 from last month"; negative if refunds exceed payments. */
export const centsFromLastMonth = (cents: Cents) => (cents === 0 ? undefined : `${signedCents(cents)} from last month`)

/** "+$230.00", "−$20.50". */
export const signedCents = (cents: Cents) => `${cents > 0 ? '+' : '−'}${formatCents(Math.abs(cents))}`

/** "+12%" and "−3 points", with the typographic minus that amounts use. */
export const signed = (value: number, unit: string) =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${formatCount(Math.abs(value))}${unit}`

/** "+1 new user" and "−3 new users". */
export const signedCount = (value: number, noun: string) => signed(value, ` ${noun}${Math.abs(value) === 1 ? '' : 's'}`)

/** `2026-11` → "Nov" and "November 2026". */
export const monthShort = (month: string) => short().format(firstOf(month))
export const monthLong = (month: string) => long().format(firstOf(month))

const short = once(() => new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' }))
const long = once(() => new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }))
const firstOf = (month: string) => Date.parse(`${month}-01T00:00:00Z`)
