import { useQuery } from '@tanstack/react-query'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { StatCard, Card } from '../../kit/web/ui/Card.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { MoneyKind, MoneyOnItsWay, Operations, Queue } from '../contract.ts'
import { Checks } from './Checks.tsx'
import { operationsQuery } from './calls.ts'
import { operationsHead } from './heads.ts'

export const OperationsPage = () => {
  const operations = useQuery(operationsQuery)
  return (
    <>
      <PageHeader {...operationsHead} />
      <Query of={operations} loading={<SkeletonList count={6} />} errorTitle="Failed to load the operations">
        {loaded => <Loaded of={loaded} />}
      </Query>
    </>
  )
}

const Loaded = ({ of }: { of: Operations }) => (
  <div className="grid gap-5">
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatCard label="Checks of the data" value={verdictOf(of)} caption={`${of.checks.length} in all`} />
      <StatCard label="Jobs that wait" {...waitOf(of.queues)} />
      {of.money.map(money => (
        <MoneyCard key={money.kind} of={money} />
      ))}
    </div>
    <Checks of={of} />
    <Queues of={of.queues} />
  </div>
)

const verdictOf = ({ checks }: Operations) => {
  const broken = checks.filter(({ last }) => last !== null && last.broken !== 0).length
  if (broken > 0) return `${broken} broken`
  const unknown = checks.filter(({ last }) => last === null).length
  return unknown > 0 ? `${unknown} not run yet` : 'All hold'
}

const waitOf = (queues: readonly Queue[]) => {
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0)
  const oldest = queues.flatMap(({ oldestDueAt }) => oldestDueAt ?? []).toSorted()[0]
  return {
    value: waiting.toLocaleString('en-US'),
    caption: oldest ? (
      <>
        The first became due <RelativeTime at={oldest} />
      </>
    ) : (
      'Nothing is late'
    ),
  }
}

const moneyWords: Record<MoneyKind, string> = {
  WITHDRAWALS: 'Withdrawals on their way',
  REFUNDS: 'Refunds on their way',
}

const MoneyCard = ({ of: { kind, count, amountCents, oldestAt } }: { of: MoneyOnItsWay }) => (
  <StatCard
    label={moneyWords[kind]}
    value={<Money cents={amountCents} />}
    caption={
      oldestAt ? (
        <>
          {count.toLocaleString('en-US')}, the oldest <RelativeTime at={oldestAt} />
        </>
      ) : (
        'None'
      )
    }
  />
)

const isIdle = ({ waiting, active, failed }: Queue) => waiting + active + failed === 0

const Queues = ({ of: queues }: { of: readonly Queue[] }) => {
  const busy = queues.filter(queue => !isIdle(queue))
  const idle = queues.filter(isIdle)
  return (
    <Card
      flush
      title="Queues of jobs"
      description="What the servers do in the background."
      footer={
        idle.length > 0 && (
          <details>
            <summary className="cursor-pointer">
              {idle.length} {idle.length === 1 ? 'queue has' : 'queues have'} nothing to do
            </summary>
            <p className="mt-1 text-muted-foreground wrap-anywhere">{idle.map(({ name }) => name).join(', ')}</p>
          </details>
        )
      }
    >
      {busy.length === 0 ? (
        <p className="px-5 py-4 text-muted-foreground">Nothing waits, and nothing has failed.</p>
      ) : (
        <Table caption="Queues of jobs" columns={columns} rows={busy} keyOf={({ name }) => name} dense />
      )}
    </Card>
  )
}

const columns: Column<Queue>[] = [
  { head: 'Queue', primary: true, cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  { head: 'Waiting', align: 'right', cell: ({ waiting }) => waiting.toLocaleString('en-US') },
  {
    head: 'Due since',
    align: 'right',
    cell: ({ oldestDueAt }) => (oldestDueAt ? <RelativeTime at={oldestDueAt} /> : '–'),
  },
  { head: 'Active', align: 'right', cell: ({ active }) => active.toLocaleString('en-US') },
  { head: 'Failed', align: 'right', cell: ({ failed }) => failed.toLocaleString('en-US') },
]
