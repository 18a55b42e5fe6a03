import { Card } from '../../kit/web/ui/Card.tsx'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { Downtime } from '../contract.ts'
import { grouped } from '../../kit/words.ts'

/** The latest times that count toward no deadline, and what they have moved. */
export const Downtimes = ({ of: downtimes }: { of: readonly Downtime[] }) => (
  <Card
    flush
    title="Downtimes"
    description="Time when no server was running or jobs were paused does not count toward any deadline."
  >
    {downtimes.length === 0 ? (
      <p className="px-5 py-4 text-muted-foreground">No downtime so far.</p>
    ) : (
      <Table caption="Downtimes" columns={columns} rows={downtimes} keyOf={({ id }) => String(id)} dense />
    )}
  </Card>
)

const why = ({ cause, by, note }: Downtime) => {
  if (cause === 'DOWN') return 'No server was running'
  if (cause === 'RESTORED') return 'Before this copy was restored'
  return `Paused ${by === null ? 'by a restore' : `by ${by}`}${note === null ? '' : `: ${note}`}`
}

const movedWords = ({ moved, settled, to }: Downtime) => {
  if (to === null) return 'When it ends'
  return settled ? grouped(moved) : `${grouped(moved)} so far`
}

const columns: Column<Downtime>[] = [
  { head: 'Why', primary: true, cell: downtime => <span className="wrap-anywhere">{why(downtime)}</span> },
  { head: 'From', cell: ({ from }) => <DateTime at={from} withTime /> },
  { head: 'To', cell: ({ to }) => (to === null ? 'Ongoing' : <DateTime at={to} withTime />) },
  { head: 'Deadlines moved', align: 'right', cell: movedWords },
]
