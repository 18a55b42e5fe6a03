import { useQuery } from '@tanstack/react-query'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Card, DescriptionList, StatCard } from '../../kit/web/ui/Card.tsx'
import { SkeletonList } from '../../kit/web/ui/States.tsx'
import { type Column, Table } from '../../kit/web/ui/Table.tsx'
import { Money, RelativeTime } from '../../kit/web/ui/Values.tsx'
import type { BalanceComparison, LastBackup, MoneyKind, MoneyOnItsWay, Operations, Queue } from '../contract.ts'
import { Checks, isBroken } from './Checks.tsx'
import { Breaches, StoppedBanner } from './Breaches.tsx'
import { PauseButton, PausedBanner } from './Pause.tsx'
import { Downtimes } from './Downtimes.tsx'
import { operationsQuery } from './calls.ts'
import { operationsHead } from './heads.ts'
import { once } from '../../kit/once.ts'
import { counted, grouped } from '../../kit/words.ts'

export const OperationsPage = () => {
  const operations = useQuery(operationsQuery)
  return (
    <>
      <PageHeader {...operationsHead} actions={operations.data?.pause === null && <PauseButton />} />
      <Query of={operations} loading={<SkeletonList count={6} />} errorTitle="Failed to load the operations">
        {loaded => <Loaded of={loaded} />}
      </Query>
    </>
  )
}

const Loaded = ({ of }: { of: Operations }) => (
  <div className="grid gap-5">
    {of.pause && <PausedBanner of={of.pause} />}
    <StoppedBanner of={of.breaches} />
    {of.backupsRefused !== null && (
      <Alert tone="red" title="Backups are failing">
        <p className="wrap-anywhere">{of.backupsRefused}</p>
      </Alert>
    )}
    {of.mailTrouble && (
      <Alert tone="red" title="Emails cannot be sent">
        <p className="wrap-anywhere">
          On server {of.mailTrouble.server}, the first failed <RelativeTime at={of.mailTrouble.since} />:{' '}
          {of.mailTrouble.reason}
        </p>
        <p>{counted(of.mailTrouble.waiting, 'email')} waiting. Each is retried for about two days.</p>
      </Alert>
    )}
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatCard label="Data checks" value={verdictOf(of)} caption={`${of.checks.length} in total`} />
      <StatCard label="Waiting jobs" {...waitOf(of.queues)} />
      {of.money.filter(isShown).map(money => (
        <MoneyCard key={money.kind} of={money} />
      ))}
    </div>
    <Backup of={of.backup} />
    <Books of={of.provider} />
    <Checks of={of} />
    <Breaches of={of.breaches} />
    <Queues of={of.queues} />
    <Downtimes of={of.downtimes} />
  </div>
)

const Backup = ({ of: backup }: { of: LastBackup | null }) => (
  <Card title="Last backup" description={backup ? `Kept in ${backup.place}` : 'Used to restore the data after a loss.'}>
    {backup ? (
      <p className="wrap-anywhere">
        Taken <RelativeTime at={backup.takenAt} />, {inMegabytes().format(backup.bytes / 1_000_000)} before compression.{' '}
        {backup.sentUntil ? (
          <>
            Changes since then were last backed up <RelativeTime at={backup.sentUntil} />.
          </>
        ) : (
          'Changes since then are not backed up: set BACKUP_TO.'
        )}
      </p>
    ) : (
      <p>
        No backup has been taken yet. Set BACKUP_TO, or run “npm run backup”. If BACKUP_TO is set already, the server’s
        log says why there is none.
      </p>
    )}
  </Card>
)

const Books = ({ of: compared }: { of: BalanceComparison | null }) => (
  <Card
    title="Our books and the provider’s"
    description={
      compared ? (
        <>
          Compared <RelativeTime at={compared.at} />; always before payouts and every night.
        </>
      ) : (
        'Compared before payouts and every night.'
      )
    }
    action={compared && <Agreement of={compared} />}
  >
    {compared ? (
      <>
        <DescriptionList
          className="-my-2"
          items={[
            { label: `At the provider (${compared.provider})`, value: <Money cents={compared.balanceCents} /> },
            { label: 'In our books', value: <Expected of={compared} /> },
          ]}
        />
        {compared.offSince && (
          <p className="mt-3 max-w-prose">
            Payouts were put on hold <RelativeTime at={compared.offSince} />: a notification that the provider has not
            sent yet may explain the difference. If it remains for five minutes, withdrawals are stopped.
          </p>
        )}
      </>
    ) : (
      <p>They have not been compared yet.</p>
    )}
  </Card>
)

const Agreement = ({ of: { offCents } }: { of: BalanceComparison }) =>
  offCents === 0 ? (
    <Badge tone="green">They match</Badge>
  ) : (
    <Badge tone="red">
      Off by <Money cents={offCents} />
    </Badge>
  )

/** Money on its way may or may not have reached the provider, so any amount in between is right. */
const Expected = ({ of: { leastCents, mostCents } }: { of: BalanceComparison }) => (
  <>
    <Money cents={leastCents} />
    {mostCents !== leastCents && (
      <>
        {' '}
        to <Money cents={mostCents} />
        <span className="block text-muted-foreground">depending on payments in transit</span>
      </>
    )}
  </>
)

const inMegabytes = once(
  () => new Intl.NumberFormat('en-US', { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 }),
)

const verdictOf = ({ checks, breaches }: Operations) => {
  const broken = checks.filter(check => isBroken(check, breaches)).length
  if (broken > 0) return `${broken} failed`
  const unknown = checks.filter(({ last }) => last === null).length
  return unknown > 0 ? `${unknown} not run yet` : 'All passed'
}

const waitOf = (queues: readonly Queue[]) => {
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0)
  const oldest = queues.flatMap(({ oldestDueAt }) => oldestDueAt ?? []).toSorted()[0]
  return {
    value: grouped(waiting),
    caption: oldest ? (
      <>
        The oldest became due <RelativeTime at={oldest} />
      </>
    ) : (
      'Nothing is late'
    ),
  }
}

const moneyWords: Record<MoneyKind, string> = {
  WITHDRAWALS: 'Open withdrawals',
  REFUNDS: 'Open refunds',
  REFUNDS_STUCK: 'Stuck refunds',
  REFUNDS_PAID_TWICE: 'Refunds paid twice',
  LOST_DISPUTES: 'Disputes from before the restore',
}

const isRegular = (kind: MoneyKind) => kind === 'WITHDRAWALS' || kind === 'REFUNDS'

/** Stuck refunds, double payments and lost disputes are rare, so they are shown only if there are any. */
const isShown = ({ kind, count }: MoneyOnItsWay) => isRegular(kind) || count > 0

const MoneyCard = ({ of: { kind, count, amountCents, oldestAt } }: { of: MoneyOnItsWay }) => (
  <StatCard
    label={moneyWords[kind]}
    value={<Money cents={amountCents} />}
    caption={
      oldestAt ? (
        <>
          {grouped(count)}, the oldest <RelativeTime at={oldestAt} />
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
      title="Job queues"
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
        <p className="px-5 py-4 text-muted-foreground">Nothing is waiting, and nothing has failed.</p>
      ) : (
        <Table caption="Job queues" columns={columns} rows={busy} keyOf={({ name }) => name} dense />
      )}
    </Card>
  )
}

const QueueName = ({ of: { name, paused } }: { of: Queue }) => (
  <span className="inline-flex flex-wrap items-center gap-2 wrap-anywhere">
    {name} {paused && <Badge tone="yellow">Paused</Badge>}
  </span>
)

const columns: Column<Queue>[] = [
  { head: 'Queue', primary: true, cell: queue => <QueueName of={queue} /> },
  { head: 'Waiting', align: 'right', cell: ({ waiting }) => grouped(waiting) },
  {
    head: 'Oldest due',
    align: 'right',
    cell: ({ oldestDueAt }) => (oldestDueAt ? <RelativeTime at={oldestDueAt} /> : '–'),
  },
  { head: 'Active', align: 'right', cell: ({ active }) => grouped(active) },
  { head: 'Failed', align: 'right', cell: ({ failed }) => grouped(failed) },
]
