/** Reads that wait for a connection are sent together, and each gets the same result as if it were alone. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { atOnce, connectBeside } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'
import { abandon, during, requestLimits, requestWork, type Work, workOf } from './limits.ts'
import { borrow, poolOf } from './connections.ts'
import { autocommit, sql, transact } from './db.ts'
import { poolsInUse } from './sharing.ts'

const t = testApp({}, { onError: () => undefined })
let beside: pg.Client
beforeAll(async () => {
  beside = await connectBeside(t)
  await beside.query('create table numbers (n int primary key)')
  await beside.query('insert into numbers select generate_series(1, 1000)')
  await beside.query(`grant select on numbers to public`)
})
afterAll(() => beside.end())

const size = 8
const patient = { timeout: 20_000 }

type Seen = { n: number }

const read = (n: number, work: Work = requestWork('reads')) =>
  during(work, () => autocommit.maybe<Seen>(sql`select n from numbers where n = ${n}`))
/** Divides by zero if `by` is 0. */
const divided = (by: number, work: Work = requestWork('reads')) =>
  during(work, () =>
    autocommit.value<number>(sql`select 100 / n from (select n - 1 as n from numbers where n = ${by + 1}) less`),
  )
const asleep = (seconds: number, work: Work = requestWork('reads')) =>
  during(work, () => autocommit.rows(sql`select pg_sleep(${seconds}::float8)`))

/** Makes the statements known as quick; until then they wait in the pool. */
const warm = async () => {
  for (let time = 0; time < 30; time++) await Promise.all([read(1), divided(1), asleep(0)])
}

const readsPool = () => poolsInUse().find(({ name }) => name === 'reads')!

/** Takes all connections of reads; `free` gives one of them back. */
const full = async () => {
  const held = await atOnce(size, () => borrow(workOf('reads', requestLimits)))
  const free = () => held.pop()?.release()
  onTestFinished(() => {
    while (held.length > 0) free()
  })
  return free
}

/** How often a connection is taken from the pool while `work` runs. */
const takings = async (work: () => Promise<unknown>): Promise<number> => {
  let times = 0
  const count = () => {
    times++
  }
  poolOf('reads').on('acquire', count)
  await work()
  poolOf('reads').off('acquire', count)
  return times
}

const outcome = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

test('the next free connection takes several reads, and each gets its own answer', async () => {
  await warm()
  const free = await full()
  const reads = Promise.all(Array.from({ length: 64 }, (_, at) => read(at + 1)))
  expect(readsPool()).toMatchObject({ busy: 8, waiting: 64 })
  const taken = await takings(async () => {
    free()
    expect((await reads).map(row => row?.n)).toEqual(Array.from({ length: 64 }, (_, at) => at + 1))
  })
  // In batches of eight, and smaller ones as fewer are left.
  expect(taken).toBeLessThan(32)
  expect(readsPool()).toMatchObject({ busy: 7, waiting: 0 })
})

test('a read that fails among others fails alone', async () => {
  await warm()
  const free = await full()
  const all = Promise.all([1, 0, 2, 4, 0, 5, 10, 20].map(by => outcome(divided(by))))
  free()
  const zero = expect.objectContaining({ code: '22012' }) as unknown
  expect(await all).toEqual([100, zero, 50, 25, zero, 20, 10, 5])
})

test('a read that is not known to be quick is sent alone, so it holds up no others', async () => {
  await warm()
  for (let time = 0; time < 5; time++) await asleep(0.3)
  const free = await full()
  const slow = asleep(1).then(() => 'the slow one')
  const quick = Promise.all(Array.from({ length: 64 }, (_, at) => read(at + 1))).then(() => 'the quick ones')
  free()
  free()
  expect(await Promise.race([slow, quick])).toBe('the quick ones')
  await slow
})

test('a transaction that waits gets its turn among the reads', async () => {
  await warm()
  const free = await full()
  const before = Array.from({ length: 100 }, (_, at) => read(at + 1))
  let left = before.length
  for (const one of before) void one.then(() => left--)
  const inTransaction = during(requestWork('reads'), () => transact(tx => tx.value(sql`select 1`)))
  free()
  await inTransaction
  expect(left).toBeGreaterThan(50)
  await Promise.all(before)
})

test('a read whose caller has gone stops waiting, and is not sent', async () => {
  await warm()
  const free = await full()
  const work = requestWork('reads')
  const [left, stayed] = [outcome(read(7, work)), read(8)]
  abandon(work)
  await expect(left).resolves.toMatchObject({ name: 'CallerGone' })
  free()
  expect((await stayed)?.n).toBe(8)
})

test('a caller who goes while their read runs together with others cancels none of them', async () => {
  await warm()
  const free = await full()
  await beside.query('begin')
  await beside.query('lock table numbers in access exclusive mode')
  const works = Array.from({ length: 64 }, () => requestWork('reads'))
  const all = Promise.all(works.map((work, at) => read(at + 1, work)))
  free()
  await expect.poll(async () => (await waitingForLocks()).length, patient).toBe(1)
  // Reads that have been sent are no longer in the line.
  const underWay = 64 - readsPool().waiting
  expect(underWay).toBeGreaterThan(1)
  for (const work of works.slice(0, underWay)) abandon(work)
  // By the time PostgreSQL has accepted two more connections, it has handled any cancel request.
  for (let time = 0; time < 2; time++) await (await connectBeside(t)).end()
  await beside.query('rollback')
  expect((await all).map(row => row?.n)).toEqual(works.map((_, at) => at + 1))
})

const waitingForLocks = async () =>
  (
    await beside.query<{ pid: number }>(`select pid from pg_stat_activity
      where datname = current_database() and application_name = 'fieldtest' and wait_event_type = 'Lock'`)
  ).rows

test('if a connection breaks while it serves several reads, it is replaced, and all are answered', async () => {
  await warm()
  const free = await full()
  await beside.query('begin')
  await beside.query('lock table numbers in access exclusive mode')
  const all = Promise.all(Array.from({ length: 64 }, (_, at) => read(at + 1)))
  free()
  await expect.poll(async () => (await waitingForLocks()).length, patient).toBe(1)
  const [broken] = await waitingForLocks()
  await beside.query('select pg_terminate_backend($1)', [broken!.pid])
  await beside.query('rollback')
  expect((await all).map(row => row?.n)).toEqual(Array.from({ length: 64 }, (_, at) => at + 1))
})

test('the wait ends when the request’s time is over, and after 3 s if the pool stays full', async () => {
  await warm()
  const free = await full()
  const inHaste = { ...requestWork('reads'), until: performance.now() + 300 }
  const outOfTime = { name: 'OutOfTime', code: 'ETIMEDOUT' }
  const waits = [read(1), read(2, inHaste), read(3)].map(outcome)
  await expect(waits[1]).resolves.toMatchObject(outOfTime)
  const [first, , third] = await Promise.all(waits)
  expect(third).toMatchObject(outOfTime)
  // The first read waits in the pool, on behalf of all.
  expect(first).toBeInstanceOf(Error)
  free()
  expect((await read(4))?.n).toBe(4)
  expect(readsPool().waiting).toBe(0)
})
