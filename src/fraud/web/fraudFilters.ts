/** Search, severity, status, page and the open report: they live in the address, and the server applies them. */
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { type ReportStatus, type Severity, reportStatuses, severities } from '../contract.ts'

export type Filters = { search: string; severity: Severity | null; status: ReportStatus | null }

export const noFilters: Filters = { search: '', severity: null, status: null }

const lastPage = 10_000

export const useFraudFilters = () => {
  const [asked, set] = useQueryStates({
    search: parseAsString.withDefault(''),
    severity: parseAsStringLiteral(severities),
    status: parseAsStringLiteral(reportStatuses),
    page: parseAsInteger.withDefault(1),
    report: parseAsString,
  })
  const { severity, status, report } = asked
  const search = asked.search.trim().slice(0, 100)
  return {
    filters: { search, severity, status },
    page: Math.min(Math.max(asked.page, 1), lastPage),
    filtered: search !== '' || severity !== null || status !== null,
    /** Another filter begins at its first page. */
    change: (changed: Partial<Filters>) => void set({ ...changed, page: null }),
    turn: (page: number) => void set({ page }, { history: 'push' }),
    /** The id of the report under investigation. */
    report,
    investigate: (id: string | null) => void set({ report: id }, { history: id === null ? 'replace' : 'push' }),
  }
}
