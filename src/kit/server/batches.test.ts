/** Due rows are done exactly once, even if a server dies, others work at the same time, or some rows cannot be done. */
import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { connectBeside, inParallel } from '../../testing/observed.ts'
import { type Due, type Hold, holding, inBatches, nextPage, type Page } from './batches.ts'
import { autocommit, sql, type Tx } from './db.ts'
import { until } from '../../testing/until.ts'

const t = testApp()
const atOnce = 10

/** 25 rows, all due at the same moment; a row whose text is "impossible" violates a constraint when it is done. */
beforeEach(async () => {
  await t.look(`
    drop table if exists done_things, due_things;
    create table due_things (id uuid primary key, place int not null, at timestamptz, text text not null default '');
    create table done_things (id uuid primary key, text text not null check (text <> 'impossible'));
    insert into due_things select gen_random_uuid(), n, '2026-01-01 10:00:00.000123Z', '' from generate_series(1, 25) n`)
})

const load = (page: Page): Promise<Due[]> =>
  autocommit.rows(sql`select id, at::text as at from due_things where at <= now() ${nextPage(sql`at`, page)}`)

/** What a run does before it ends. */
type Meanwhile = (tx: Tx, ids: readonly string[]) => Promise<unknown>

const doing =
  (batches: string[][] = [], meanwhile: Meanwhile = () => Promise.resolve()) =>
  async (tx: Tx, due: readonly Due[], hold: Hold): Promise<string[]> => {
    const rows = await tx.rows<{ id: string }>(sql`select id from due_things
      where id = any(${due.map(({ id }) => id)}) and at <= now() order by id for update ${holding(hold)}`)
    const ids = rows.map(({ id }) => id)
    // Fails for a row that was done before.
    await tx.run(sql`insert into done_things select id, text from due_things where id = any(${ids})`)
    await tx.run(sql`update due_things set at = null where id = any(${ids})`)
    await meanwhile(tx, ids)
    batches.push(ids)
    return ids
  }

const done = async () => (await t.look('select from done_things')).length
const stillDue = async () => (await t.look('select from due_things where at is not null')).length

test('everything due is done, in batches, even if all of it was due at the same moment', async () => {
  const batches: string[][] = []
  await inBatches({ load, run: doing(batches), atOnce })
  expect(batches.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([5, 10, 10])
  expect([await done(), await stillDue()]).toEqual([25, 0])
})

test('rows of one group are done in one batch, in the order in which the groups begin', async () => {
  // Three interleaved groups of eight rows, and a fourth group of one.
  const group = 'place % 3 + 3 * (place / 25)'
  await t.look(`update due_things set at = at + make_interval(secs => place), text = ${group}`)
  const loadGrouped = (page: Page): Promise<(Due & { text: string })[]> =>
    autocommit.rows(sql`select id, at::text as at, text from due_things where at <= now() ${nextPage(sql`at`, page)}`)
  const batches: string[][] = []
  await inBatches({
    load: loadGrouped,
    groupOf: ({ text }) => text,
    // Exactly the first group and the fourth.
    atOnce: 9,
    run: async (tx, due, hold) => {
      const ids = await doing()(tx, due, hold)
      batches.push(due.map(({ text }) => text))
      return ids
    },
  })
  expect([await done(), await stillDue()]).toEqual([25, 0])
  const groups = batches.map(texts => [...new Set(texts)].join()).toSorted()
  expect(groups).toEqual(['0,4', '1', '2'])
})

test('a group that is larger than a batch takes as many batches as it needs', async () => {
  const batches: string[][] = []
  await inBatches({ load, groupOf: () => 'all', run: doing(batches), atOnce })
  expect(batches.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([5, 10, 10])
  expect([await done(), await stillDue()]).toEqual([25, 0])
})

test('rows that cannot be done do not hold up the others, and the error counts them', async () => {
  await t.look(`update due_things set text = 'impossible' where place in (3, 4, 20)`)
  await expect(inBatches({ load, run: doing(), atOnce })).rejects.toThrow('3 of 25 failed')
  expect([await done(), await stillDue()]).toEqual([22, 3])
  await t.look(`update due_things set text = ''`)
  await inBatches({ load, run: doing(), atOnce })
  expect([await done(), await stillDue()]).toEqual([25, 0])
})

test('a row that stays due is run only once', async () => {
  const seen: string[] = []
  await inBatches({
    load,
    atOnce,
    run: async (_, due) => {
      const ids = due.map(({ id }) => id)
      seen.push(...ids)
      return ids
    },
  })
  expect([seen.length, new Set(seen).size]).toEqual([25, 25])
})

test('when a server dies, its batch is undone as a whole, earlier batches stay, and the next run does the rest', async () => {
  let deadly: string | undefined
  // Dies again on every retry.
  const dies: Meanwhile = async (tx, due) => {
    deadly ??= due[0]
    if (deadly === due[0]) await tx.raw('select pg_terminate_backend(pg_backend_pid())')
  }
  await expect(inBatches({ load, run: doing([], dies), atOnce })).rejects.toThrow('10 of 25 failed')
  expect([await done(), await stillDue()]).toEqual([15, 10])
  await inBatches({ load, run: doing(), atOnce })
  expect([await done(), await stillDue()]).toEqual([25, 0])
})

test('rows that others hold are tried again, and waited for only if they stay held', async () => {
  const holds: Hold[] = []
  const tries = new Map<string, number>()
  const heldFor = (most: number) => async (_: Tx, due: readonly Due[], hold: Hold) => {
    holds.push(hold)
    for (const { id } of due) tries.set(id, (tries.get(id) ?? 0) + 1)
    return due.map(({ id }) => id).filter(id => hold === 'WAIT' || tries.get(id)! > most)
  }
  await inBatches({ load, run: heldFor(1), atOnce })
  expect(holds).toEqual(Array.from({ length: 6 }, () => 'SKIP'))
  expect([...tries.values()]).toEqual(Array.from({ length: 25 }, () => 2))

  holds.length = 0
  tries.clear()
  await inBatches({ load, run: heldFor(Infinity), atOnce })
  expect(holds).toEqual([...Array.from({ length: 6 }, () => 'SKIP'), 'WAIT', 'WAIT', 'WAIT'])
})

test('servers that work at the same time do each row once', async () => {
  await inParallel(4, () => inBatches({ load, run: doing(), atOnce: 3 }))
  expect([await done(), await stillDue()]).toEqual([25, 0])
})

test('a server skips rows that another holds, does the others first, and takes over those that the other gives up', async () => {
  const release = Promise.withResolvers<void>()
  const holds = Promise.withResolvers<void>()
  let batches = 0
  const first = inBatches({
    load,
    atOnce,
    run: doing([], async () => {
      if (++batches > 1) return
      holds.resolve()
      await release.promise
      throw Object.assign(new Error('the server is full'), { code: '53300' })
    }),
  })
  await holds.promise
  const second = inBatches({ load, run: doing(), atOnce })
  await until(async () => (await done()) === 15)
  release.resolve()
  await expect(first).rejects.toThrow('10 of')
  await second
  expect([await done(), await stillDue()]).toEqual([25, 0])
})

test('a row that somebody changed while holding it is checked again', async () => {
  const beside = await connectBeside(t)
  try {
    await beside.query('begin')
    await beside.query('update due_things set at = null where place = 7')
    const run = inBatches({ load, run: doing(), atOnce })
    await until(async () => (await done()) === 24)
    await beside.query('commit')
    await run
    expect([await done(), await stillDue()]).toEqual([24, 0])
  } finally {
    await beside.end()
  }
})
