import { toCsv } from '../../kit/csv.ts'
import { downloadCsv } from '../../kit/web/download.ts'
import type { FraudReport } from '../contract.ts'
import { api } from './calls.ts'
import type { Filters } from './fraudFilters.ts'

const head = [
  'Created',
  'Severity',
  'Status',
  'Sample',
  'Reason',
  'Details',
  'Evidence',
  'User',
  'Email',
  'User joined',
  'Resolution',
  'Decided',
]

type EvidenceItem = FraudReport['eventData']['evidence'][number]

const evidenceLine = ({ label, value, user, at }: EvidenceItem) =>
  [`${label}: ${value}`, user && `${user.name} <${user.email}>`, at].filter(Boolean).join(', ')

const toLine = ({ createdAt, status, isSample, eventData, user, resolution, decidedAt }: FraudReport) => [
  createdAt,
  eventData.severity,
  status,
  isSample ? 'yes' : 'no',
  eventData.reason,
  eventData.details,
  eventData.evidence.map(evidenceLine).join('; '),
  user.name,
  user.email,
  user.createdAt,
  resolution,
  decidedAt,
]

const mostPerCall = 100

/** Every match of the search and the filters, not only the open page. */
export const exportReports = async ({ search, severity, status }: Filters): Promise<void> => {
  const query = { search, severity: severity ?? undefined, status: status ?? undefined, limit: mostPerCall }
  const reports: FraudReport[] = []
  for (let page = 1; ; page++) {
    // In sequence, because only a full page shows that there may be another.
    const { data: some, total } = await api.list({ query: { ...query, page } })
    reports.push(...some)
    if (reports.length >= total || some.length === 0) break
  }
  downloadCsv('fieldtest-fraud-reports.csv', toCsv([head, ...reports.map(toLine)]))
}
