import type { Handlers, SignedIn } from '../../kit/endpoint.ts'
import { throttled } from '../../kit/server/downloads.ts'
import type { Report, reportApi } from '../contract.ts'
import { reportCsv } from '../csv.ts'
import { reportOf } from './reports.ts'

async function* pdfPieces(report: Report): AsyncGenerator<Uint8Array> {
  // Loaded with the first report, since it takes megabytes with its fonts.
  const { reportPdf } = await import('./pdf.ts')
  yield await reportPdf(report)
}

const pdfOf = async (user: SignedIn, id: string) => {
  const report = await reportOf(user, id)
  return { type: 'application/pdf', content: throttled(user, pdfPieces(report)), downloadAs: 'report.pdf' }
}

const csvOf = async (user: SignedIn, id: string) => ({
  type: 'text/csv; charset=utf-8',
  content: reportCsv(await reportOf(user, id)),
  downloadAs: 'report.csv',
})

export const reportHandlers: Handlers<typeof reportApi> = {
  report: ({ user, params }) => reportOf(user, params.id),
  reportPdf: ({ user, params }) => pdfOf(user, params.id),
  reportCsv: ({ user, params }) => csvOf(user, params.id),
}
