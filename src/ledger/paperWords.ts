/** The words of papers on the screen, in PDFs and in CSV files: their numbers, their lines, and days in the user's time zone. */
import type { Instant } from '../kit/clock.ts'
import type { Cents } from '../kit/money.ts'
import type { Role } from '../kit/roles.ts'
import type { TransactionStatus, TransactionType } from './contract.ts'
import { once } from '../kit/once.ts'
import { counted } from '../kit/words.ts'

const prefixes = { RECEIPT: 'RCP', CREDIT_NOTE: 'CRN', PAYOUT_ADVICE: 'PAY', STATEMENT: 'STM', YEAR: 'YRS' } as const

/** The last block of an id is random: 48 bits. */
const tailOf = (id: string) => id.slice(-12).toUpperCase()

/**
 * `RCP-20261123-4A1F9C0B7E21`: the day in UTC, and the last block of the id. Both never change, so a paper keeps its number
 * forever. The number does not reveal how many other papers there are.
 */
export const paperNumber = (
  kind: 'RECEIPT' | 'CREDIT_NOTE' | 'PAYOUT_ADVICE',
  { id, createdAt }: { id: string; createdAt: Instant },
): string => `${prefixes[kind]}-${createdAt.slice(0, 10).replaceAll('-', '')}-${tailOf(id)}`

/** `period` is a month, `2026-11`, or a year. */
export const periodNumber = (kind: 'STATEMENT' | 'YEAR', period: string, userId: string): string =>
  `${prefixes[kind]}-${period.replace('-', '')}-${tailOf(userId)}`

type Line = { type: TransactionType; status: TransactionStatus }

/** If nothing was paid, there is nothing to acknowledge. */
export const receiptTitle = (status: TransactionStatus): string =>
  status === 'FAILED' ? 'Declined payment' : 'Receipt'

const developerWords: Record<TransactionType, string> = {
  DEBIT: 'Testers’ pay',
  FEE: 'Platform fee',
  CREDIT: 'Refund',
  PAYOUT: 'Payout',
}

const testerWords: Record<TransactionType, string> = {
  CREDIT: 'Earning',
  PAYOUT: 'Withdrawal',
  DEBIT: 'Debit',
  FEE: 'Fee',
}

export const lineWord = ({ type, status }: Line, role: Role): string => {
  if (role === 'DEVELOPER') return developerWords[type]
  return type === 'CREDIT' && status === 'REFUNDED' ? 'Withdrawal returned' : testerWords[type]
}

export const statusWord: Record<TransactionStatus, string> = {
  COMPLETED: 'Completed',
  PENDING: 'Pending',
  FAILED: 'Failed',
  REFUNDED: 'Refunded',
}

/**
 * What the line moved, signed from the user's point of view: a change of a tester's balance, or what a developer paid or got back.
 * A declined payment moved nothing. A failed withdrawal left the balance and came back as a line of its own.
 */
export const movedCents = ({ type, status, amountCents }: Line & { amountCents: Cents }): Cents => {
  if (type === 'CREDIT') return amountCents
  return type !== 'PAYOUT' && status === 'FAILED' ? 0 : -amountCents
}

/** Node and browsers put a narrow space before AM and PM, which our PDF fonts lack. */
const plain = (text: string) => text.replaceAll('\u202F', ' ')

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (timeZone: string, withTime: boolean): Intl.DateTimeFormat => {
  const key = `${timeZone} ${withTime}`
  const known = formats.get(key)
  if (known) return known
  const options: Intl.DateTimeFormatOptions = { dateStyle: 'medium', timeZone, ...(withTime && { timeStyle: 'short' }) }
  const made = new Intl.DateTimeFormat('en-US', options)
  formats.set(key, made)
  return made
}

/** "Nov 21, 2026". */
export const dateIn = (timeZone: string, at: Instant): string => plain(formatOf(timeZone, false).format(Date.parse(at)))

/** "Nov 21, 2026, 3:04 PM". */
export const dateTimeIn = (timeZone: string, at: Instant): string =>
  plain(formatOf(timeZone, true).format(Date.parse(at)))

const monthFormat = once(() => new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }))

/** `2026-11` → "November 2026". */
export const monthWord = (month: string): string => monthFormat().format(Date.parse(`${month}-01T12:00:00Z`))

/** `monthAfter('2026-12')` is `2027-01`. */
export const monthAfter = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

/** Every month from the first to the last, newest first. */
export const monthsBetween = (first: string, last: string): string[] => {
  const months: string[] = []
  for (let month = first; month <= last; month = monthAfter(month)) months.push(month)
  return months.toReversed()
}

/** Appears on every paper that covers a span of time. */
export const zoneNote = (timeZone: string): string =>
  `Days, months and years are in ${timeZone}, the time zone in your settings.`

/** Appears on every paper about one payment, refund or withdrawal. */
export const timesNote = (timeZone: string): string => `Times are in ${timeZone}, the time zone in your settings.`

/** Below a year's campaigns: how many more there are than lines. */
export const leftOutNote = (campaigns: number): string =>
  `${counted(campaigns, 'more campaign')} ${campaigns === 1 ? 'is' : 'are'} included in the totals above and in the CSV for the year.`

export const testModeNote = 'TEST MODE: payments are simulated, and no real money moves.'
