/**
 * Rows older than their retention period leave the table in whole months: the partition is archived or its dependents are removed,
 * then it is detached while everybody keeps working, and dropped. `past_partitions` records which partitions have begun to leave,
 * so that the next run continues where a job has died.
 */
import { clock, type Instant, monthsAfter } from '../../kit/clock.ts'
import { asOwner, autocommit, transact } from '../../kit/server/db.ts'
import { allDue } from '../../kit/server/eachDue.ts'
import { beforeAllIds } from '../../kit/server/ids.ts'
import { scheduled } from '../../kit/server/jobs.ts'
import { currentSettings } from '../../settings/server/settings.ts'
import { archive } from './archive.ts'
import { asOwnerOfTables } from './asOwnerOfTables.ts'
import { untilFree } from './untilFree.ts'
import * as queries from './queries.ts'

const testsLoosenedAtOnce = 100
const testsAtOnce = 1000

type Leave = {
  table: queries.Partitioned
  /** Whether the partition has to stay although it is old. */
  needed: (name: string, cutoff: Instant) => Promise<boolean>
  /** `prepare` runs before the partition is detached, `finish` before it is dropped. Both may run more than once. */
  prepare: (name: string) => Promise<unknown>
  finish?: (name: string) => Promise<void>
}

/**
 * Check-ins leave together with their screenshots, once the last test of the month has been over for the retention period. Their
 * days are kept.
 */
const checkIns: Leave = {
  table: 'check_ins',
  needed: (name, cutoff) => queries.stillNeeded(autocommit, name, cutoff),
  prepare: async name => {
    for (let after: string | null = beforeAllIds; after !== null;)
      after = await queries.unhangScreenshots(autocommit, name, { after, limit: testsLoosenedAtOnce })
  },
  // Runs after detaching, when the rows are in no list any more, so nobody sees a day twice.
  finish: async name => {
    for (let after: string | null = beforeAllIds; after !== null;)
      after = await queries.keepDays(autocommit, name, { after, limit: testsAtOnce })
  },
}

/** The audit log is archived and never lost. */
const auditLog: Leave = { table: 'audit_log', needed: () => Promise.resolve(false), prepare: archive }

export const letOldGo = scheduled(
  'retention.let-go',
  '17 2 * * *',
  asOwnerOfTables(async () => {
    const now = clock.now()
    const { checkInMonths, auditLogMonths } = await currentSettings(autocommit)
    await allDue([
      () => letGo(checkIns, monthsAfter(now, -checkInMonths), now),
      () => letGo(auditLog, monthsAfter(now, -auditLogMonths), now),
    ])
  }),
  { neverPaused: true },
)

/**
 * Between detaching and keeping their days, check-ins are invisible. If a server dies in between, this job limits that to the
 * night.
 */
export const finishLettingGo = scheduled(
  'retention.finish-letting-go',
  // Leaves out the hours in which the job above may run.
  '47 0,1,5-23 * * *',
  asOwnerOfTables(async () => {
    const now = clock.now()
    await allDue([checkIns, auditLog].map(leave => () => goOnWith(leave, now)))
  }),
  { neverPaused: true },
)

const goOnWith = async (leave: Leave, now: Instant): Promise<void> => {
  const leaving = await queries.leavingOf(autocommit, leave.table)
  if (leaving.length === 0) return
  const partitions = await transact(tx => queries.partitionsOf(tx, leave.table))
  const isSeen = (name: string) => partitions.some(one => one.name === name && !one.detaching)
  for (const { name } of leaving) if (!isSeen(name)) await leaveNow(leave, name, now)
}

const letGo = async (leave: Leave, cutoff: Instant, now: Instant): Promise<void> => {
  const { table, needed } = leave
  const partitions = await transact(tx => queries.partitionsOf(tx, table))
  for (const partition of partitions) {
    const isOld = partition.until !== null && `${partition.until}T00:00:00.000Z` <= cutoff
    if (!isOld || (await needed(partition.name, cutoff))) continue
    await queries.recordLeaving(autocommit, table, partition, now)
  }
  for (const { name } of await queries.leavingOf(autocommit, table)) await leaveNow(leave, name, now)
}

const leaveNow = async ({ table, prepare, finish }: Leave, name: string, now: Instant): Promise<void> => {
  const attached = () => transact(tx => queries.partitionsOf(tx, table)).then(all => all.find(one => one.name === name))
  const partition = await attached()
  if (partition) {
    if (!partition.detaching) await prepare(name)
    await detach(table, partition)
  }
  if (!(await queries.exists(autocommit, name))) return
  const rowCount = await queries.rowsIn(autocommit, name)
  const archived = (await queries.leavingOf(autocommit, table)).find(one => one.name === name)?.rowCount ?? null
  if (archived !== null && archived !== rowCount)
    throw new Error(`${name} has ${rowCount} rows, and ${archived} are archived.`)
  await finish?.(name)
  await untilFree(() => transact(tx => queries.drop(tx, { name, rowCount }, now)))
}

/** The first step waits for everyone who uses the table. If a server dies during it, the second step is left to do. */
const detach = async (table: queries.Partitioned, { name, detaching }: queries.Partition): Promise<void> => {
  if (!detaching) {
    await asOwner(`alter table ${table} detach partition ${name} concurrently`)
    return
  }
  await untilFree(() => transact(tx => queries.finishDetaching(tx, table, name)))
}
