import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { countryName } from '../../kit/countries.ts'
import { messageOf } from '../../kit/web/apiError.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Email } from '../../kit/web/ui/Email.tsx'
import { foundOf } from '../../kit/web/ui/foundWords.ts'
import { NoRows } from '../../kit/web/ui/NoRows.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Pager } from '../../kit/web/ui/Pager.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { WaitlistEntry } from '../contract.ts'
import { waitlistHead } from './heads.ts'
import { WaitlistToolbar } from './WaitlistToolbar.tsx'
import { waitlistQuery } from './calls.ts'
import { roleLabels, roleTones } from './roleLabels.ts'
import { type Filters, noFilters, useWaitlistFilters } from './waitlistFilters.ts'

export const WaitlistPage = () => {
  const { filters, at, filtered, change, turn } = useWaitlistFilters()
  const list = useQuery(waitlistQuery(filters, at))
  return (
    <>
      <PageHeader {...waitlistHead} actions={<ExportButton filters={filters} disabled={!list.data?.total} />} />
      <WaitlistToolbar filters={filters} onChange={change} />
      <Query
        of={list}
        loading={<SkeletonList count={8} className="h-11" />}
        errorTitle="Failed to load the waitlist"
        found={{ words: foundOf('sign-up'), by: [filters, at] }}
        empty={
          <NoRows
            page={at.page}
            onFirst={() => turn({ page: 1 })}
            filtered={filtered}
            title="No sign-ups found"
            hint="Try adjusting your search or filters"
            onClear={() => change(noFilters)}
            none={noEntries}
          />
        }
      >
        {loaded => (
          <Card
            flush
            className={list.isPlaceholderData ? 'opacity-60 transition-opacity' : 'transition-opacity'}
            footer={<Pager of={loaded} onTurn={turn} />}
          >
            <Table caption="Waitlist" columns={columns} rows={loaded.data} keyOf={entry => entry.id} inSteps />
          </Card>
        )}
      </Query>
    </>
  )
}

const columns: Column<WaitlistEntry>[] = [
  { head: 'Email', primary: true, cell: entry => <Email address={entry.email} /> },
  { head: 'Country', cell: entry => countryName(entry.country) },
  {
    head: 'Role',
    cell: entry => <Badge tone={roleTones[entry.role]}>{roleLabels[entry.role]}</Badge>,
  },
  { head: 'Joined', align: 'right', cell: entry => <RelativeTime at={entry.createdAt} /> },
]

const noEntries = (
  <EmptyState title="No sign-ups yet" hint="People who join the waitlist on the landing page appear here." />
)

const ExportButton = ({ filters, disabled }: { filters: Filters; disabled: boolean }) => {
  const csv = useMutation({
    mutationFn: async () => (await import('./exportWaitlist.ts')).exportWaitlist(filters),
    onError: error => notify.error(messageOf(error)),
  })
  return (
    <Button variant="outline" disabled={disabled} loading={csv.isPending} onClick={() => csv.mutate()}>
      <Download aria-hidden /> Export CSV
    </Button>
  )
}
