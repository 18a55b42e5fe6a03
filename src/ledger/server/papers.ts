/** The content of a user's papers. Their layout is in paperSheets.ts. */
import { clock, dayAfter, dayIn } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { autocommit } from '../../kit/server/db.ts'
import { monthAfter, monthsBetween, movedCents, paperNumber, periodNumber } from '../paperWords.ts'
import type { CsvQuery, PayoutAdvice, Papers, Statement, StatementLine, YearSummary } from '../papersContract.ts'
import * as queries from './papers.queries.ts'

const mostCampaigns = 500

/** Another user's is not found. */
export const payoutAdvice = async (tester: SignedIn, id: string): Promise<PayoutAdvice> => {
  const { name, email, ...row } = await queries.payoutAdviceOf(autocommit, tester.id, id)
  return { ...row, number: paperNumber('PAYOUT_ADVICE', row), tester: { name, email } }
}

export const timeZoneOf = async (user: SignedIn): Promise<string> =>
  (await queries.readerOf(autocommit, user.id)).timeZone

export const papers = async (user: SignedIn): Promise<Papers> => {
  const [{ timeZone }, firstAt] = await Promise.all([
    queries.readerOf(autocommit, user.id),
    queries.firstLineAt(autocommit, user.id),
  ])
  if (firstAt === null) return { timeZone, months: [], years: [] }
  const months = monthsBetween(dayIn(timeZone, firstAt).slice(0, 7), thisMonth(timeZone))
  return { timeZone, months, years: [...new Set(months.map(month => month.slice(0, 4)))] }
}

const thisMonth = (timeZone: string) => dayIn(timeZone, clock.now()).slice(0, 7)

/** The user and the span of time. */
type Period = { reader: queries.Reader; span: queries.Span }

const periodOf = async (
  user: SignedIn,
  days: (timeZone: string) => { from: string; until: string },
): Promise<Period> => {
  const reader = await queries.readerOf(autocommit, user.id)
  return { reader, span: await queries.spanOf(autocommit, reader.timeZone, days(reader.timeZone)) }
}

const daysOfMonth = (month: string) => ({ from: `${month}-01`, until: `${monthAfter(month)}-01` })

const headOf = ({ reader: { name, email, timeZone }, span }: Period) => ({
  timeZone,
  ...span,
  writtenAt: clock.now(),
  person: { name, email },
})

/** Refuses to make a paper if its lines do not add up to the ledger's balance. */
const assertAddsUp = (
  user: SignedIn,
  sums: {
    openingCents: number
    earnedCents: number
    withdrawnCents: number
    returnedCents: number
    closingCents: number
  },
) => {
  const cents = sums.openingCents + sums.earnedCents - sums.withdrawnCents + sums.returnedCents
  if (cents !== sums.closingCents)
    throw new Error(`the statement of ${user.id} ends with ${cents} cents, and the ledger with ${sums.closingCents}`)
}

const sumsOf = async (user: SignedIn, span: queries.Span) => {
  if (user.role === 'TESTER') {
    const { lines, ...balance } = await queries.balanceSums(autocommit, user.id, span)
    assertAddsUp(user, balance)
    return { lines, balance, payments: null, onTheWayBackCents: 0 }
  }
  const { lines, onTheWayBackCents, ...payments } = await queries.paymentSums(autocommit, user.id, span)
  return { lines, balance: null, payments, onTheWayBackCents }
}

/** A numbered paper about future days would state what is not true yet. */
const notBegun = (span: 'month' | 'year') => {
  const message = `This ${span} has not begun.`
  return new DomainError('INVALID_INPUT', message, { fields: { [span]: message } })
}

const monthOf = async (user: SignedIn, month: string | undefined) => {
  let wanted = month ?? ''
  const period = await periodOf(user, timeZone => {
    wanted = month ?? thisMonth(timeZone)
    if (wanted > thisMonth(timeZone)) throw notBegun('month')
    return daysOfMonth(wanted)
  })
  return { month: wanted, period }
}

export const statement = async (user: SignedIn, wanted: string | undefined): Promise<Statement> => {
  const { month, period } = await monthOf(user, wanted)
  return {
    number: periodNumber('STATEMENT', month, user.id),
    month,
    ...headOf(period),
    ...(await sumsOf(user, period.span)),
  }
}

const toLine = (row: queries.LineRow, balanceCents: number | null): StatementLine & { seq: number } => {
  const { campaignId, campaignTitle, ...line } = row
  return {
    ...line,
    campaign: campaignId !== null && campaignTitle !== null ? { id: campaignId, title: campaignTitle } : null,
    movedCents: movedCents(row),
    balanceCents,
    number: numberOf(row),
  }
}

const numberOf = ({ paymentId, refundId, withdrawalId, sourceAt }: queries.LineRow): string | null => {
  if (sourceAt === null) return null
  if (paymentId !== null) return paperNumber('RECEIPT', { id: paymentId, createdAt: sourceAt })
  if (refundId !== null) return paperNumber('CREDIT_NOTE', { id: refundId, createdAt: sourceAt })
  return withdrawalId === null ? null : paperNumber('PAYOUT_ADVICE', { id: withdrawalId, createdAt: sourceAt })
}

/** Adds a tester's balance after each line, starting with `balance`. */
const toLines = (rows: readonly queries.LineRow[], balance: number | null) => {
  let running = balance
  return rows.map(row => {
    if (running !== null) running += movedCents(row)
    return toLine(row, running)
  })
}

type LinesQuery = { month?: string | undefined; limit: number; cursor?: string | undefined }

export const statementLines = async (
  user: SignedIn,
  { month, limit, cursor }: LinesQuery,
): Promise<Page<StatementLine>> => {
  const { period } = await monthOf(user, month)
  const after = cursor === undefined ? null : Number(cursor)
  const [rows, balance] = await Promise.all([
    queries.linesAfter(autocommit, user.id, period.span, { after, limit: limit + 1 }),
    user.role === 'TESTER' ? queries.balanceAfter(autocommit, user.id, period.span, after) : null,
  ])
  const items = toLines(rows.slice(0, limit), balance)
  return { items, nextCursor: rows.length > limit ? String(items.at(-1)?.seq) : null }
}

export const yearSummary = async (user: SignedIn, wanted: string | undefined): Promise<YearSummary> => {
  let year = wanted ?? ''
  const period = await periodOf(user, timeZone => {
    const thisYear = thisMonth(timeZone).slice(0, 4)
    year = wanted ?? thisYear
    if (year > thisYear) throw notBegun('year')
    return { from: `${year}-01-01`, until: `${Number(year) + 1}-01-01` }
  })
  const isTester = user.role === 'TESTER'
  const of = [autocommit, user.id, period.span] as const
  const [{ balance, payments }, paidOutCents, paid, earned] = await Promise.all([
    sumsOf(user, period.span),
    isTester ? queries.paidOut(...of) : 0,
    isTester ? [] : queries.paidFor(...of, mostCampaigns),
    isTester ? queries.earnedFrom(...of, mostCampaigns) : [],
  ])
  const listed = [...paid, ...earned]
  return {
    number: periodNumber('YEAR', year, user.id),
    year,
    ...headOf(period),
    balance,
    paidOutCents,
    payments,
    paidFor: paid.map(({ campaignId, title, ...sums }) => ({
      ...sums,
      campaign: { id: campaignId, title },
    })),
    earnedFrom: earned.map(({ campaignId, title, earnedCents }) => ({
      earnedCents,
      campaign: { id: campaignId, title },
    })),
    campaignsLeftOut: (listed[0]?.campaigns ?? 0) - listed.length,
  }
}

const linesAtOnce = 500

/** Reads all lines of a span, a few hundred at a time, so that the longest paper takes no more memory than the shortest. */
async function* allLines(user: SignedIn, span: queries.Span, opening: number | null): AsyncGenerator<StatementLine[]> {
  let balance = opening
  for (let after: number | null = null, more = true; more;) {
    const rows: queries.LineRow[] = await queries.linesAfter(autocommit, user.id, span, { after, limit: linesAtOnce })
    const lines = toLines(rows, balance)
    yield lines
    balance = lines.at(-1)?.balanceCents ?? balance
    after = rows.at(-1)?.seq ?? after
    more = rows.length === linesAtOnce
  }
}

export const statementWithLines = async (
  user: SignedIn,
  month: string | undefined,
): Promise<{ of: Statement; lines: AsyncIterable<StatementLine[]> }> => {
  const of = await statement(user, month)
  return { of, lines: allLines(user, of, of.balance?.openingCents ?? null) }
}

/** Days follow the user's time zone; `to` is included. With both a year and days, only days in both count. */
const daysOf = ({ year, from, to }: CsvQuery) => {
  const first = [`${year ?? 2000}-01-01`, from ?? ''].toSorted().at(-1)
  const until = [`${Number(year ?? 2099) + 1}-01-01`, to === undefined ? '9999' : dayAfter(to, 1)].toSorted()[0]
  return { from: first!, until: until! }
}

export const transactionsOf = async (
  user: SignedIn,
  query: CsvQuery,
): Promise<{ timeZone: string; lines: AsyncIterable<StatementLine[]> }> => {
  const { reader, span } = await periodOf(user, () => daysOf(query))
  const opening = user.role === 'TESTER' ? await queries.balanceAfter(autocommit, user.id, span, null) : null
  return { timeZone: reader.timeZone, lines: allLines(user, span, opening) }
}
