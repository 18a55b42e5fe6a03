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
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      <StatCard label="Checks of the data" value={verdictOf(of)} caption={`${of.checks.length} in all`} />
      <StatCard label="Jobs that wait" {...waitOf(of.queues)} />
      {of.money.map(money => (
        <MoneyCard key={money.kind} of={money} />
      ))}
    </div>
    <Checks of={of} />
    <Card flush title="Queues of jobs" description="What the servers do in the background.">
      <Table caption="Queues of jobs" columns={columns} rows={of.queues} keyOf={({ name }) => name} dense />
    </Card>
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
