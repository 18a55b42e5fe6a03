/** Search, severity, status, samples, page and the open report: kept in the URL and applied by the server. */
import { filtersIn, oneOf, useUrlFilters, useUrlValue, words } from '../../kit/web/urlFilters.ts'
import type { ReportStatus, Severity } from '../contract.ts'
import { reportStatuses, severities } from '../terms.ts'

/** Whether only samples are listed, or none. */
export const samples = ['true', 'false'] as const
type Sample = (typeof samples)[number]

export type Filters = { search: string; severity: Severity | null; status: ReportStatus | null; sample: Sample | null }

export const noFilters: Filters = { search: '', severity: null, status: null, sample: null }

const readers = { search: words, severity: oneOf(severities), status: oneOf(reportStatuses), sample: oneOf(samples) }

export const fraudFiltersIn = (params: URLSearchParams): Filters => filtersIn(readers, params)

export const useFraudFilters = () => {
  const list = useUrlFilters(readers)
  /** The id of the report under investigation. */
  const [report, setReport] = useUrlValue('report', id => id || null)
  return { ...list, report, investigate: (id: string | null) => setReport(id, { push: id !== null }) }
}
