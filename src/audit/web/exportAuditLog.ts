import { toCsv } from '../../kit/csv.ts'
import { downloadCsv } from '../../kit/web/download.ts'
import type { AuditEntry } from '../contract.ts'
import { factsOf, sentenceOf } from '../words.ts'
import type { Filters } from './auditFilters.ts'
import { api } from './calls.ts'

const head = ['At', 'Admin', 'Action', 'What', 'Subject', 'Subject id', 'Facts']

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

const mostPerCall = 100

/** All that the filters show, not only the page that is open. */
export const exportAuditLog = async ({ action, admin }: Filters): Promise<void> => {
  const query = { action: action ?? undefined, admin, limit: mostPerCall }
  const entries: AuditEntry[] = []
  for (let page = 1; ; page++) {
    // One after the other: the next page is only asked for when there is one.
    const { data: some, total } = await api.auditLog({ query: { ...query, page } })
    entries.push(...some)
    if (entries.length >= total || some.length === 0) break
  }
  downloadCsv('fieldtest-audit-log.csv', toCsv([head, ...entries.map(toLine)]))
}
