import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { messageOf } from '../../kit/web/apiError.ts'
import { downloadBlob } from '../../kit/web/download.ts'
import { useTask } from '../../kit/web/task.ts'
import { useUser } from '../../kit/web/user.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Card } from '../../kit/web/ui/Card.tsx'
import { InfiniteQuery } from '../../kit/web/ui/Query.tsx'
import { EmptyState, SkeletonList } from '../../kit/web/ui/States.tsx'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { NdaAcceptance } from '../contract.ts'
import { acceptancePages, afterExport, api } from './calls.ts'

const shared: readonly Column<NdaAcceptance>[] = [
  { head: 'Tester', cell: ({ alias }) => alias, primary: true },
  { head: 'Version', cell: ({ version }) => version },
  { head: 'Accepted', cell: ({ acceptedAt }) => <DateTime at={acceptedAt} withTime /> },
]
const forAdmins: readonly Column<NdaAcceptance>[] = [
  { head: 'Name', cell: ({ name }) => name },
  { head: 'IP address', cell: ({ ip }) => ip || 'Erased' },
]

/** By alias for the owner, who gets names only in the export; admins see names and IP addresses. */
export const Acceptances = ({ campaignId }: { campaignId: string }) => {
  const isOwner = useUser().role === 'DEVELOPER'
  return (
    <Card
      title="Who accepted it"
      description={
        isOwner
          ? 'Testers appear under their alias. The export has the names that they typed, and is recorded in the audit log.'
          : undefined
      }
      action={isOwner && <ExportButton campaignId={campaignId} />}
      flush
    >
      <InfiniteQuery
        of={useInfiniteQuery(acceptancePages(campaignId))}
        loading={
          <div className="p-5">
            <SkeletonList count={3} className="h-9" />
          </div>
        }
        errorTitle="Failed to load the acceptances"
        empty={
          <div className="p-5">
            <EmptyState
              title="No one has accepted it yet"
              hint="Testers who have joined accept it on the page of their test."
            />
          </div>
        }
      >
        {rows => (
          <Table
            caption="Acceptances, newest first"
            columns={isOwner ? shared : [...shared, ...forAdmins]}
            rows={rows}
            keyOf={({ id }) => String(id)}
          />
        )}
      </InfiniteQuery>
    </Card>
  )
}

const ExportButton = ({ campaignId }: { campaignId: string }) => {
  const names = useTask(() =>
    api.export({ params: { id: campaignId } }).then(
      file => {
        downloadBlob('nda-acceptances.csv', file)
        void afterExport()
      },
      (error: unknown) => notify.error(messageOf(error, 'Failed to export the names')),
    ),
  )
  return (
    <Button variant="outline" size="sm" loading={names.pending} onClick={() => void names.run()}>
      <Download aria-hidden /> Export names
    </Button>
  )
}
