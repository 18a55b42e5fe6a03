import { exportCsv } from '../../kit/web/csvExport.ts'
import type { AuditEntry } from '../contract.ts'
import { actorOf, factsOf, sentenceOf } from '../words.ts'
import type { Filters } from './auditFilters.ts'
import { api } from './calls.ts'

const head = ['Time', 'Admin', 'Admin ID', 'Action', 'Description', 'Subject', 'Subject ID', 'Details']

const toRow = (entry: AuditEntry) => [
  entry.at,
  actorOf(entry),
  entry.admin?.id ?? null,
  entry.action,
  sentenceOf(entry).did,
  entry.subject,
  entry.subjectId,
  factsOf(entry)
    .map(({ label, value }) => `${label}: ${value}`)
    .join('; '),
]

/** Exports every entry that matches the filters. */
export const exportAuditLog = ({ action, admin }: Filters): Promise<void> =>
  exportCsv({
    fileName: 'fieldtest-audit-log.csv',
    head,
    toRow,
    fetchPage: at => api.auditLog({ query: { action: action ?? undefined, admin, ...at } }),
  })
