import { clock } from '../../kit/clock.ts'
import type { FileReply, Handlers, SignedIn } from '../../kit/endpoint.ts'
import { toCsv } from '../../kit/csv.ts'
import { throttled } from '../../kit/server/downloads.ts'
import type { CsvQuery, papersApi } from '../papersContract.ts'
import { transactionCsvHead, transactionCsvRow } from '../transactionCsv.ts'
import { paymentsAreTests } from './ledger.ts'
import type { Paper } from './paperPdf.ts'
import * as papers from './papers.ts'
import {
  creditNoteSheet,
  type Frame,
  payoutAdviceSheet,
  receiptSheet,
  statementSheet,
  yearSheet,
} from './paperSheets.ts'
import { payment, refund } from './statements.ts'

const frameFor = async (user: SignedIn): Promise<Frame> => ({
  writtenAt: clock.now(),
  timeZone: await papers.timeZoneOf(user),
  isTest: paymentsAreTests(),
})

/** Loads the PDF code with the first paper, since it takes megabytes and most servers never draw one. */
async function* pdfPieces(paper: Paper): AsyncGenerator<Uint8Array> {
  const { paperPdf } = await import('./paperPdf.ts')
  yield* paperPdf(paper)
}

const pdf = (user: SignedIn, paper: Paper): FileReply => ({
  type: 'application/pdf',
  content: throttled(user, pdfPieces(paper)),
  downloadAs: `${paper.number}.pdf`,
})

const statementPdf = async (user: SignedIn, month: string | undefined) => {
  const { of, lines } = await papers.statementWithLines(user, month)
  return pdf(user, statementSheet(of, lines, user, await frameFor(user)))
}

async function* csvPieces(user: SignedIn, query: CsvQuery): AsyncGenerator<Uint8Array> {
  const { timeZone, lines } = await papers.transactionsOf(user, query)
  yield Buffer.from(transactionCsvHead(user.role))
  for await (const some of lines)
    yield Buffer.from(toCsv(some.map(line => transactionCsvRow(line, user.role, timeZone))))
}

export const papersHandlers: Handlers<typeof papersApi> = {
  receiptPdf: async ({ user, params }) => pdf(user, receiptSheet(await payment(user, params.id), await frameFor(user))),
  creditNotePdf: async ({ user, params }) =>
    pdf(user, creditNoteSheet(await refund(user, params.id), await frameFor(user))),
  payoutAdvice: ({ user, params }) => papers.payoutAdvice(user, params.id),
  payoutAdvicePdf: async ({ user, params }) =>
    pdf(user, payoutAdviceSheet(await papers.payoutAdvice(user, params.id), await frameFor(user))),
  papers: ({ user }) => papers.papers(user),
  statement: ({ user, query }) => papers.statement(user, query.month),
  statementLines: ({ user, query }) => papers.statementLines(user, query),
  statementPdf: ({ user, query }) => statementPdf(user, query.month),
  yearSummary: ({ user, query }) => papers.yearSummary(user, query.year),
  yearSummaryPdf: async ({ user, query }) =>
    pdf(user, yearSheet(await papers.yearSummary(user, query.year), await frameFor(user))),
  transactionsCsv: async ({ user, query }) => ({
    type: 'text/csv; charset=utf-8',
    content: throttled(user, csvPieces(user, query)),
    downloadAs: 'transactions.csv',
  }),
}
