/**
 * Money is a whole number of cents, in US dollars. This is the only file that rounds, parses or formats it;
 * everywhere else cents are added, subtracted and compared.
 */
import { grouped } from './words.ts'

export type Cents = number

/** A rate in basis points: 1500 is 15 %. An integer, because a rate is not a binary fraction. */
export type BasisPoints = number

const signed = (cents: Cents, text: string): string => `${cents < 0 ? '-' : ''}$${text}`

/** 123456 → "$1,234.56" (spec §1). */
export const formatCents = (cents: Cents): string => {
  const size = Math.abs(cents)
  return signed(cents, `${grouped(Math.floor(size / 100))}.${String(size % 100).padStart(2, '0')}`)
}

/** 123456 → "$1,235": for axes and trends, which the spec shows with 0 decimals (spec §3). */
export const formatCentsShort = (cents: Cents): string => signed(cents, grouped(Math.round(Math.abs(cents) / 100)))

/** 123456 → "1234.56", for a number field. */
export const centsToInput = (cents: Cents): string => (cents / 100).toFixed(2)

/** "10", "10.5", "$1,010.50" → cents; null unless it is an amount with at most two decimals. */
export const parseDollars = (text: string): Cents | null => {
  const match = /^\$?(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{0,2}))?$/.exec(text.trim())
  if (!match) return null
  return Number(match[1]!.replaceAll(',', '')) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

/** 1500 → "15%", 1250 → "12.5%". */
export const formatRate = (rate: BasisPoints): string => `${rate / 100}%`

/** "15", "12.5", "12.5%" → basis points; null unless it is a percentage with at most two decimals. */
export const parsePercent = (text: string): BasisPoints | null => {
  const [, whole, decimals = ''] = /^(\d{1,3})(?:\.(\d{0,2}))?\s*%?$/.exec(text.trim()) ?? []
  return whole === undefined ? null : Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}

/** A share of an amount, half a cent rounded up: `shareOf(999, 1500)` is 150. Exact for every safe integer of cents. */
export const shareOf = (cents: Cents, rate: BasisPoints): Cents =>
  Number((BigInt(cents) * BigInt(rate) * 2n + 10_000n) / 20_000n)

/** `part` of `whole` in whole percent, rounded; 0 if `whole` is 0. */
export const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : Math.round((part * 100) / whole))

/** `part` of `whole` in basis points, rounded; `whole` is not 0. */
export const rateOf = (part: number, whole: number): BasisPoints => Math.round((part * 10_000) / whole)

/** The mean of `count` amounts that sum to `cents`, rounded; null if there are none. */
export const meanOf = (cents: Cents, count: number): Cents | null => (count === 0 ? null : Math.round(cents / count))

/** `floor(cents × part / whole)`, exact: what is owed for `part` of `whole` equal days. */
export const proRata = (cents: Cents, part: number, whole: number): Cents =>
  Number((BigInt(cents) * BigInt(Math.min(part, whole))) / BigInt(whole))
