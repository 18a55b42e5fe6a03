import { toCsv } from '../../kit/csv.ts'
import { downloadCsv } from '../../kit/web/download.ts'
import type { AuditEntry } from '../contract.ts'
import { factsOf, sentenceOf } from '../words.ts'
import type { Filters } from './auditFilters.ts'
import { api } from './calls.ts'

const head = ['Time', 'Admin', 'Action', 'Description', 'Subject', 'Subject ID', 'Details']

const toLine = (entry: AuditEntry) => [
  entry.at,
  entry.admin.name,
  entry.action,
  sentenceOf(entry).did,
  entry.subject,
  entry.subjectId,
  factsOf(entry)
    .map(({ label, value }) => `${label}: ${value}`)
    .join('; '),
]

const maxPageSize = 100

/** Exports every entry that matches the filters, not only the current page. */
export const exportAuditLog = async ({ action, admin }: Filters): Promise<void> => {
  const query = { action: action ?? undefined, admin, limit: maxPageSize }
  const entries: AuditEntry[] = []
  for (let page = 1; ; page++) {
    // Pages are loaded in turn: only the reply says whether there is another one.
    const { data: some, total } = await api.auditLog({ query: { ...query, page } })
    entries.push(...some)
    if (entries.length >= total || some.length === 0) break
  }
  downloadCsv('fieldtest-audit-log.csv', toCsv([head, ...entries.map(toLine)]))
}
