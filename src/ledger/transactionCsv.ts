/** Transactions as a table for bookkeeping, one line each. */
import type { Instant } from '../kit/clock.ts'
import { csvFile, type CsvRow } from '../kit/csv.ts'
import { centsToInput, formatCents } from '../kit/money.ts'
import type { Role } from '../kit/roles.ts'
import { lineWord, statusWord } from './paperWords.ts'
import type { StatementLine } from './papersContract.ts'

const head = (role: Role): CsvRow => [
  'Date',
  'Time',
  'Time zone',
  'Type',
  'Description',
  'Campaign',
  'Amount',
  'Currency',
  'Status',
  'Document',
  'Reference',
  'Failure reason',
  ...(role === 'TESTER' ? ['Balance'] : []),
]

export const transactionCsvHead = (role: Role): string => csvFile([head(role)])

const formats = new Map<string, Intl.DateTimeFormat>()

/** Day and time, by the Swedish locale, which formats them like ISO 8601. */
const dayAndTime = (timeZone: string, at: Instant): [day: string, time: string] => {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(timeZone, format)
  const [day = '', time = ''] = format.format(Date.parse(at)).split(' ')
  return [day, time]
}

/** A declined payment moved nothing, so its description says what it would have cost. */
const descriptionOf = ({ description, movedCents, amountCents }: StatementLine) =>
  movedCents === 0 ? `${description} of ${formatCents(amountCents)}` : description

const referenceOf = ({ paymentId, refundId, withdrawalId, id }: StatementLine) =>
  paymentId ?? refundId ?? withdrawalId ?? id

export const transactionCsvRow = (line: StatementLine, role: Role, timeZone: string): CsvRow => [
  ...dayAndTime(timeZone, line.createdAt),
  timeZone,
  lineWord(line, role),
  descriptionOf(line),
  line.campaign?.title ?? null,
  centsToInput(line.movedCents),
  'USD',
  statusWord[line.status],
  line.number,
  referenceOf(line),
  line.failureReason,
  ...(role === 'TESTER' ? [line.balanceCents === null ? null : centsToInput(line.balanceCents)] : []),
]
