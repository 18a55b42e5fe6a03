/** Writes of one row take turns: they hold one connection between them, and each gets the same result as if it were alone. */
import type pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectBeside } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'
import { recorded } from '../../testing/recorded.ts'
import { poolOf } from './connections.ts'
import { autocommit, inTurn, sql } from './db.ts'
import { during, requestWork, type Work } from './limits.ts'
import { poolsInUse } from './sharing.ts'

const t = testApp({}, { onError: () => undefined })
let beside: pg.Client
beforeAll(async () => {
  beside = await connectBeside(t)
  await beside.query('create table counters (name text primary key, n int not null check (n >= 0))')
  await beside.query('grant select, update on counters to public')
})
afterAll(() => beside.end())
beforeEach(async () => {
  await beside.query(`truncate counters; insert into counters values ('hot', 0), ('other', 0)`)
})

const patient = { timeout: 20_000 }

/** Resolves with the counter after it. */
const add = (by: number, row = 'hot', work: Work = requestWork('writes')) =>
  during(work, () =>
    autocommit.value<number>(inTurn(row, sql`update counters set n = n + ${by} where name = ${row} returning n`)),
  )
const outcome = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)
const inOrder = (length: number) => Array.from({ length }, (_, at) => at + 1)

const busyWrites = () => poolsInUse().find(({ name }) => name === 'writes')!.busy

const lockHot = async () => {
  await beside.query('begin')
  await beside.query(`select from counters where name = 'hot' for update`)
}
/** Not through `beside`, which sees the same processes until its transaction ends. */
const waitingForLocks = () =>
  t.look<{ pid: number }>(`select pid from pg_stat_activity
    where datname = current_database() and application_name = 'fieldtest' and wait_event_type = 'Lock'`)
const untilWaiting = async () => {
  await expect.poll(async () => (await waitingForLocks()).length, patient).toBe(1)
}

test('writes of a row that is locked hold one connection, and writes of others go on', async () => {
  await lockHot()
  const hot = Promise.all(inOrder(40).map(() => add(1)))
  await untilWaiting()
  expect(busyWrites()).toBe(1)
  expect(await Promise.all(inOrder(20).map(() => add(1, 'other')))).toEqual(inOrder(20))
  expect(await waitingForLocks()).toHaveLength(1)
  await beside.query('rollback')
  expect(await hot).toEqual(inOrder(40))
})

test('they are made in the order in which they were asked for, several in one message', async () => {
  let messages = 0
  const count = () => {
    messages++
  }
  poolOf('writes').on('acquire', count)
  expect(await Promise.all(inOrder(100).map(() => add(1)))).toEqual(inOrder(100))
  poolOf('writes').off('acquire', count)
  expect(messages).toBeLessThan(100)
})

test('a write that fails among others fails alone', async () => {
  const results = await Promise.all([1, 1, 1, -9, 1, -9, 1, 1].map(by => outcome(add(by))))
  const violation = expect.objectContaining({ code: '23514' }) as unknown
  expect(results).toEqual([1, 2, 3, violation, 4, violation, 5, 6])
})

test('if the connection breaks, nobody knows what became of the write under way, and those behind it are made', async () => {
  await lockHot()
  const all = Promise.all(inOrder(10).map(() => outcome(add(1))))
  await untilWaiting()
  await beside.query('select pg_terminate_backend($1)', [(await waitingForLocks())[0]!.pid])
  await beside.query('rollback')
  const [first, ...others] = await all
  expect(first).toMatchObject({ name: 'OutcomeUnknown' })
  expect(others).toEqual(inOrder(9))
})

test('a wait ends with the time of its request, and earlier than that for a lock if the row stays locked', async () => {
  await lockHot()
  const first = outcome(add(1))
  await untilWaiting()
  const inHaste = { ...requestWork('writes'), until: performance.now() + 500 }
  const others = Promise.all([add(1, 'hot', inHaste), add(1), add(1)].map(outcome))
  const outOfTime = expect.objectContaining({ name: 'OutOfTime', code: 'ETIMEDOUT' }) as unknown
  expect(await others).toEqual([outOfTime, outOfTime, outOfTime])
  expect(await waitingForLocks()).toHaveLength(1)
  expect(await first).toMatchObject({ code: '55P03' })
  await beside.query('rollback')
  expect(await add(1)).toBe(1)
})

test('without a connection to be had, all of them fail in time, and later ones are made', async () => {
  const pool = poolOf('writes')
  const held = await Promise.all(inOrder(pool.options.max).map(() => pool.connect()))
  const soon = () => ({ ...requestWork('writes'), until: performance.now() + 500 })
  try {
    for (const refused of await Promise.all(inOrder(3).map(() => outcome(add(1, 'hot', soon())))))
      expect(refused).toBeInstanceOf(Error)
  } finally {
    for (const client of held) client.release()
  }
  expect(await add(1)).toBe(1)
})

test('what is sent for a request belongs to it, also behind others', async () => {
  await lockHot()
  const before = inOrder(3).map(() => add(1))
  await untilWaiting()
  const sent = recorded(() => add(1))
  const after = inOrder(3).map(() => add(1))
  await beside.query('rollback')
  expect(await sent).toHaveLength(1)
  expect(await Promise.all([...before, ...after])).toEqual([1, 2, 3, 5, 6, 7])
})

test('servers that show changes are told, also if the write is a part of a select', async () => {
  const told = () =>
    new Promise(resolve => {
      beside.once('notification', resolve)
    })
  const write = async (statement: Sql) => {
    const telling = told()
    await during(requestWork('writes'), () => autocommit.rows(inTurn('hot', statement)))
    await telling
  }
  await beside.query('listen user_events')
  // The signals of earlier tests come no later than this one.
  await write(sql`update counters set n = 1 where name = 'hot'`)
  await write(sql`with made as (update counters set n = 2 where name = 'hot' returning n) select n from made`)
  await beside.query('unlisten user_events')
})
