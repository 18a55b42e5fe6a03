import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, ScrollText } from 'lucide-react'
import { useDrawnFromTop } from '../../kit/web/drawn.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { foundOf } from '../../kit/web/ui/foundWords.ts'
import { NoRows } from '../../kit/web/ui/NoRows.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Pager } from '../../kit/web/ui/Pager.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { AuditEntry } from '../contract.ts'
import { AuditEntryRow } from './AuditEntryRow.tsx'
import { type AdminFilter, AuditToolbar } from './AuditToolbar.tsx'
import { type Filters, noFilters, useAuditFilters } from './auditFilters.ts'
import { auditLogQuery } from './calls.ts'
import { auditLogHead } from './heads.ts'

export const AuditLogPage = ({ AdminFilter }: { AdminFilter: AdminFilter }) => {
  const { filters, at, filtered, change, turn } = useAuditFilters()
  const log = useQuery(auditLogQuery(filters, at))
  return (
    <>
      <PageHeader {...auditLogHead} actions={<ExportButton filters={filters} disabled={!log.data?.total} />} />
      <AuditToolbar filters={filters} onChange={change} AdminFilter={AdminFilter} />
      <Query
        of={log}
        loading={<SkeletonList count={8} className="h-14" />}
        errorTitle="Failed to load the audit log"
        found={{ words: foundOf('action'), by: [filters, at] }}
        empty={
          <NoRows
            page={at.page}
            onFirst={() => turn({ page: 1 })}
            filtered={filtered}
            title="No entries found"
            hint="Try adjusting your filters"
            onClear={() => change(noFilters)}
            none={noEntries}
          />
        }
      >
        {loaded => (
          <Card
            flush
            className={log.isPlaceholderData ? 'opacity-60 transition-opacity' : 'transition-opacity'}
            footer={<Pager of={loaded} onTurn={turn} />}
          >
            <Entries entries={loaded.data} />
          </Card>
        )}
      </Query>
    </>
  )
}

/** About as many as fit in a window. */
const entriesAtATime = 8

const Entries = ({ entries }: { entries: readonly AuditEntry[] }) => {
  const drawn = useDrawnFromTop(entries.length, entriesAtATime)
  return (
    <ul className="divide-y" aria-label="Audit entries">
      {entries.slice(0, drawn).map(entry => (
        <AuditEntryRow key={entry.id} entry={entry} />
      ))}
    </ul>
  )
}

const noEntries = (
  <EmptyState
    title="No admin actions yet"
    hint="Approvals, rejections, suspensions and settings changes appear here."
    icon={<ScrollText aria-hidden />}
  />
)

const ExportButton = ({ filters, disabled }: { filters: Filters; disabled: boolean }) => {
  const csv = useMutation({
    mutationFn: async () => (await import('./exportAuditLog.ts')).exportAuditLog(filters),
    onError: error => notify.error(messageOf(error, 'Failed to export the audit log')),
  })
  return (
    <Button variant="outline" disabled={disabled} loading={csv.isPending} onClick={() => csv.mutate()}>
      <Download aria-hidden /> Export CSV
    </Button>
  )
}
