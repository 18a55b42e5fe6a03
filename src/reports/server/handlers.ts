import type { Handlers, SignedIn } from '../../kit/endpoint.ts'
import type { reportApi } from '../contract.ts'
import { reportCsv } from '../csv.ts'
import { reportOf } from './reports.ts'

const pdfOf = async (user: SignedIn, id: string) => {
  const report = await reportOf(user, id)
  // Loaded for the first report: with its fonts it takes megabytes.
  const { reportPdf } = await import('./pdf.ts')
  return { type: 'application/pdf', content: await reportPdf(report), downloadAs: 'report.pdf' }
}

const csvOf = async (user: SignedIn, id: string) => ({
  type: 'text/csv',
  content: reportCsv(await reportOf(user, id)),
  downloadAs: 'report.csv',
})

export const reportHandlers: Handlers<typeof reportApi> = {
  report: ({ user, params }) => reportOf(user, params.id),
  reportPdf: ({ user, params }) => pdfOf(user, params.id),
  reportCsv: ({ user, params }) => csvOf(user, params.id),
}
