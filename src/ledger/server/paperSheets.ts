/** Each paper in the words and amounts that its PDF shows. */
import type { Instant } from '../../kit/clock.ts'
import { formatCents } from '../../kit/money.ts'
import { counted } from '../../kit/words.ts'
import type { SignedIn } from '../../kit/endpoint.ts'
import type { Payment, Refund } from '../contract.ts'
import {
  dateIn,
  dateTimeIn,
  leftOutNote,
  lineWord,
  monthWord,
  paperNumber,
  receiptTitle,
  statusWord,
  timesNote,
  zoneNote,
} from '../paperWords.ts'
import type {
  BalanceSums,
  PaymentSums,
  PayoutAdvice,
  Statement,
  StatementLine,
  YearSummary,
} from '../papersContract.ts'
import type { Cell, Paper } from './paperPdf.ts'

/** What every paper shows. */
export type Frame = { writtenAt: Instant; timeZone: string; isTest: boolean }

type Sheet = Paper

const person = ({ name, email }: { name: string; email: string }) => `${name}\n${email}`

/** "+$10.00" and "−$10.00"; if nothing moved, "$0.00". */
const signed = (cents: number): string => {
  if (cents === 0) return formatCents(0)
  return cents > 0 ? `+${formatCents(cents)}` : `−${formatCents(-cents)}`
}

const paymentWords = { COMPLETED: 'Paid', FAILED: 'Declined', PENDING: 'Processing', RETURNED: 'Sent back' } as const

const wordOf = (words: Record<string, string>, status: string): string => words[status] ?? status

export const receiptSheet = (payment: Payment, { timeZone, ...frame }: Frame): Sheet => {
  const failed = payment.status === 'FAILED'
  return {
    ...frame,
    title: receiptTitle(payment.status),
    number: paperNumber('RECEIPT', payment),
    facts: [
      { label: 'Date', value: dateTimeIn(timeZone, payment.createdAt) },
      { label: 'Status', value: wordOf(paymentWords, payment.status) },
      { label: 'For', value: payment.campaign.title },
      { label: 'Paid by', value: person(payment.developer) },
      { label: 'Payment method', value: payment.paymentMethod },
      ...(payment.failureReason === null ? [] : [{ label: 'Failure reason', value: payment.failureReason }]),
      { label: 'Reference', value: payment.id },
    ],
    sums: [
      ...(failed
        ? []
        : [
            { label: 'Testers’ pay', value: formatCents(payment.testersPayCents) },
            { label: 'Platform fee', value: formatCents(payment.feeCents) },
          ]),
      { label: failed ? 'Declined amount' : 'Total paid', value: formatCents(payment.totalCents), strong: true },
    ],
    tables: [],
    notes: [
      failed
        ? 'You were not charged.'
        : 'Held for this campaign and paid out as tests are verified. Anything unused goes back to the payment methods it was charged to.',
      inUsd(timeZone),
    ],
  }
}

const inUsd = (timeZone: string) => `Amounts are in US dollars. ${timesNote(timeZone)}`

export const creditNoteSheet = (refund: Refund, { timeZone, ...frame }: Frame): Sheet => ({
  ...frame,
  title: 'Credit note',
  number: paperNumber('CREDIT_NOTE', refund),
  facts: [
    { label: 'Date', value: dateTimeIn(timeZone, refund.createdAt) },
    { label: 'Refunded', value: refund.settledAt === null ? 'Processing' : dateTimeIn(timeZone, refund.settledAt) },
    { label: 'For', value: refund.campaign.title },
    { label: 'Refunded to', value: person(refund.developer) },
    ...refund.parts.map(part => ({ label: 'Payment method', value: partWords(part) })),
    { label: 'Reference', value: refund.id },
  ],
  sums: [
    { label: 'Testers’ pay', value: formatCents(refund.testersPayCents) },
    { label: 'Platform fee', value: formatCents(refund.feeCents) },
    { label: 'Total refunded', value: formatCents(refund.totalCents), strong: true },
  ],
  tables: [],
  notes: [
    refund.parts.some(({ paidOutside }) => paidOutside !== null)
      ? 'The unused part of what was paid for this campaign. What could not be refunded to a payment method was paid by other means, with the reference shown.'
      : 'The unused part of what was paid for this campaign, to the payment methods it was charged to.',
    inUsd(timeZone),
  ],
})

const partWords = (part: Refund['parts'][number]): string =>
  [
    part.paymentMethod,
    `${formatCents(part.amountCents)}, ${part.settledAt === null ? 'processing' : 'refunded'}`,
    ...(part.paidByBank ? ['Returned by the bank after a dispute'] : []),
    ...(part.paidOutside === null ? [] : [`Paid by other means: ${part.paidOutside}`]),
  ].join('\n')

const adviceWords: Record<PayoutAdvice['status'], string> = {
  PENDING: 'On the way',
  COMPLETED: 'Paid out',
  FAILED: 'Failed: the money is back in the balance',
  RETURNED: 'Sent back: the money is in the balance again',
}

const whenIn = (timeZone: string, at: Instant | null) => (at === null ? 'Not yet' : dateTimeIn(timeZone, at))

export const payoutAdviceSheet = (advice: PayoutAdvice, { timeZone, ...frame }: Frame): Sheet => ({
  ...frame,
  title: 'Payout advice',
  number: advice.number,
  facts: [
    { label: 'Status', value: adviceWords[advice.status] },
    { label: 'Requested', value: dateTimeIn(timeZone, advice.createdAt) },
    advice.status === 'FAILED'
      ? { label: 'Failed', value: whenIn(timeZone, advice.settledAt) }
      : { label: 'Paid out', value: whenIn(timeZone, advice.settledAt) },
    ...(advice.returnedAt === null
      ? []
      : [{ label: 'Back in the balance', value: dateTimeIn(timeZone, advice.returnedAt) }]),
    { label: 'Destination', value: advice.destination },
    { label: 'Paid to', value: person(advice.tester) },
    ...(advice.failureReason === null ? [] : [{ label: 'Failure reason', value: advice.failureReason }]),
    { label: 'Reference', value: advice.id },
  ],
  sums: [{ label: 'Gross amount', value: formatCents(advice.amountCents), strong: true }],
  tables: [],
  notes: ['The gross amount left the balance. Fieldtest withholds nothing from it.', inUsd(timeZone)],
})

const balanceRows = (sums: BalanceSums) => [
  { label: 'Opening balance', value: formatCents(sums.openingCents) },
  { label: 'Earned', value: signed(sums.earnedCents) },
  { label: 'Withdrawn', value: signed(-sums.withdrawnCents) },
  { label: 'Returned withdrawals', value: signed(sums.returnedCents) },
  { label: 'Closing balance', value: formatCents(sums.closingCents), strong: true },
]

const paymentRows = (sums: PaymentSums) => [
  { label: 'Paid in for testers’ pay', value: formatCents(sums.testersPayCents) },
  { label: 'Paid in for platform fees', value: formatCents(sums.feeCents) },
  { label: 'Refunds of testers’ pay', value: signed(-sums.refundedPayCents) },
  { label: 'Refunds of platform fees', value: signed(-sums.refundedFeeCents) },
  { label: 'Paid, less refunds', value: formatCents(netOf(sums)), strong: true },
]

const netOf = ({ testersPayCents, feeCents, refundedPayCents, refundedFeeCents }: PaymentSums) =>
  testersPayCents + feeCents - refundedPayCents - refundedFeeCents

const right = 'right' as const

const date = { head: 'Date', width: 70 }
const status = { head: 'Status', width: 66 }
const moved = { head: 'Amount', width: 76, align: right }

/** The type and the campaign, with any further details below them. */
const whatFor = (line: StatementLine, user: SignedIn): Cell => {
  const word = lineWord(line, user.role)
  const text = line.campaign === null ? word : `${word}: ${line.campaign.title}`
  const description = line.description === word ? [] : [line.description]
  const tried = line.movedCents === 0 ? [`${formatCents(line.amountCents)}, not charged`] : []
  return { text, below: [...description, ...tried, line.failureReason, line.number].filter(Boolean).join(' · ') }
}

const lineRow = (line: StatementLine, user: SignedIn, timeZone: string): Cell[] => [
  dateIn(timeZone, line.createdAt),
  whatFor(line, user),
  statusWord[line.status],
  signed(line.movedCents),
  ...(line.balanceCents === null ? [] : [formatCents(line.balanceCents)]),
]

async function* rowsOf(
  lines: AsyncIterable<StatementLine[]>,
  user: SignedIn,
  timeZone: string,
): AsyncGenerator<Cell[][]> {
  for await (const some of lines) yield some.map(line => lineRow(line, user, timeZone))
}

const columnsFor = ({ role }: SignedIn) =>
  role === 'TESTER'
    ? [date, { head: 'Description', width: 207 }, status, moved, { head: 'Balance', width: 76, align: right }]
    : [date, { head: 'Description', width: 283 }, status, moved]

const writtenOn = ({ writtenAt, timeZone }: Frame) => `As of ${dateTimeIn(timeZone, writtenAt)}.`

const unfinished = ({ until, writtenAt }: Statement | YearSummary, noun: string) =>
  writtenAt < until ? [`This ${noun} is not over: a copy made later may have more lines.`] : []

const statusNote =
  'Items shown as pending may since have been completed, or have failed and been returned as a separate line.'

export const statementSheet = (
  of: Statement,
  lines: AsyncIterable<StatementLine[]>,
  user: SignedIn,
  frame: Frame,
): Sheet => ({
  ...frame,
  title: `Statement, ${monthWord(of.month)}`,
  number: of.number,
  facts: [
    { label: 'Issued to', value: person(of.person) },
    { label: 'Month', value: `${monthWord(of.month)}, ${counted(of.lines, 'line')}` },
  ],
  sums: [
    ...(of.balance ? balanceRows(of.balance) : []),
    ...(of.payments ? paymentRows(of.payments) : []),
    ...(of.onTheWayBackCents > 0
      ? [{ label: 'Refunds still on the way', value: formatCents(of.onTheWayBackCents) }]
      : []),
  ],
  tables: [
    {
      heading: 'Transactions',
      columns: columnsFor(user),
      rows: rowsOf(lines, user, of.timeZone),
      none: 'No transactions in this month.',
    },
  ],
  notes: [
    writtenOn(frame),
    ...unfinished(of, 'month'),
    ...(of.lines > 0 ? [statusNote] : []),
    zoneNote(of.timeZone),
    'Amounts are in US dollars.',
  ],
})

async function* allAtOnce(rows: Cell[][]): AsyncGenerator<Cell[][]> {
  yield rows
}

const amount = (heading: string, width: number) => ({ head: heading, width, align: right })

const campaignTable = (of: YearSummary): Sheet['tables'] => [
  of.payments
    ? {
        heading: 'By campaign',
        columns: [
          { head: 'Campaign', width: 195 },
          amount('Testers’ pay', 75),
          amount('Fees', 70),
          amount('Refunds', 75),
          amount('Net', 80),
        ],
        rows: allAtOnce(
          of.paidFor.map(row => [
            row.campaign.title,
            formatCents(row.testersPayCents),
            formatCents(row.feeCents),
            signed(-row.refundedPayCents - row.refundedFeeCents),
            formatCents(netOf(row)),
          ]),
        ),
        none: 'No payments in this year.',
      }
    : {
        heading: 'By campaign',
        columns: [{ head: 'Campaign', width: 395 }, amount('Earned', 100)],
        rows: allAtOnce(of.earnedFrom.map(({ campaign, earnedCents }) => [campaign.title, formatCents(earnedCents)])),
        none: 'No earnings in this year.',
      },
]

export const yearSheet = (of: YearSummary, frame: Frame): Sheet => ({
  ...frame,
  title: `Summary of ${of.year}`,
  number: of.number,
  facts: [{ label: 'Issued to', value: person(of.person) }],
  sums: [
    ...(of.balance
      ? [...balanceRows(of.balance), { label: `Paid out in ${of.year}`, value: formatCents(of.paidOutCents) }]
      : []),
    ...(of.payments ? paymentRows(of.payments) : []),
  ],
  tables: campaignTable(of),
  notes: [
    ...(of.campaignsLeftOut > 0 ? [leftOutNote(of.campaignsLeftOut)] : []),
    writtenOn(frame),
    ...unfinished(of, 'year'),
    zoneNote(of.timeZone),
    'Amounts are in US dollars. This summary lists what was paid through Fieldtest; it is not tax advice.',
  ],
})
