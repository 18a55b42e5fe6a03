import { exportCsv } from '../../kit/web/csvExport.ts'
import type { FraudReport } from '../contract.ts'
import { api, asked } from './calls.ts'
import { severityFace, statusLooks } from './severity.ts'
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

const toRow = ({ createdAt, status, isSample, eventData, user, resolution, decidedAt }: FraudReport) => [
  createdAt,
  severityFace(eventData.severity).label,
  statusLooks[status].label,
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

/** Exports every report that matches the filters. */
export const exportReports = (filters: Filters): Promise<void> =>
  exportCsv({
    fileName: 'fieldtest-fraud-reports.csv',
    head,
    toRow,
    fetchPage: at => api.list({ query: { ...asked(filters), ...at } }),
  })
