/** Writes that are asked for at once are made several by one statement, and each gets the same result as if it were alone. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { connectBeside } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'
import { closeGate, makeGate } from '../../testing/passingGate.ts'
import { recorded } from '../../testing/recorded.ts'
import { until } from '../../testing/until.ts'
import { poolOf } from './connections.ts'
import { autocommit, inTurn, sql } from './db.ts'
import { grouped } from './grouped.ts'
import { during, jobLimits, requestWork, type Work, workOf } from './limits.ts'
import { shareWrites } from './lines.ts'

const t = testApp({}, { onError: () => undefined })
let beside: pg.Client
let keeper: pg.Client
beforeAll(async () => {
  beside = await connectBeside(t)
  keeper = await connectBeside(t)
  await makeGate(beside)
  await beside.query('create table counters (id text primary key, n int not null check (n >= 0))')
  await beside.query('grant select, update on counters to public')
})
afterAll(() => Promise.all([beside.end(), keeper.end()]))
beforeEach(async () => {
  await beside.query(`truncate counters; insert into counters select n::text, 0 from generate_series(1, 60) n`)
})

type Ask = { id: string; by: number }
type Row = { id: string; n: number; groupOf: number }

const addTogether = grouped<Ask, Row>({
  // The gate lets a test look at what happens while the statement is under way.
  statement: asks => sql`with asked as (
      select * from unnest(${asks.map(({ id }) => id)}::text[], ${asks.map(({ by }) => by)}::int[]) as a (id, by)
    ), free as materialized (
      select c.id, a.by from counters c join asked a on a.id = c.id for no key update of c skip locked
    ), made as (
      update counters c set n = n + free.by from free where c.id = free.id and passing_gate() returning c.id, c.n
    )
    select id, n, ${asks.length}::int as "groupOf" from made`,
  subjectsOf: ({ id }) => [id],
})

const single = ({ id, by }: Ask) =>
  autocommit.maybe<Row>(
    inTurn(id, sql`update counters set n = n + ${by} where id = ${id} returning id, n, 0 as "groupOf"`),
  )

const add = (at: number, by = 1, work: Work = requestWork('writes')) => {
  const ask = { id: String(at), by }
  return during(work, () => addTogether(ask, () => single(ask)))
}
const addToEach = (count: number) => Promise.all(Array.from({ length: count }, (_, at) => add(at + 1)))

const countersThatAre = async (n: number) =>
  Number((await beside.query('select from counters where n = $1', [n])).rowCount)

const outcome = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

const statementsUnderWay = () =>
  t.look<{ pid: number }>(`select pid from pg_stat_activity
    where datname = current_database() and application_name = 'fieldtest' and state = 'active' and query like '%passing_gate()%'
      and pid <> pg_backend_pid()`)

/** Holds the statements for several at their gate while `work` runs. */
const withGateClosed = async (work: () => Promise<void>) => {
  await closeGate(keeper)
  try {
    await work()
  } finally {
    await keeper.query('rollback')
  }
}

test('writes asked for at once are made by a few statements, each once, and each gets its own row', async () => {
  let messages = 0
  const count = () => {
    messages++
  }
  poolOf('writes').on('acquire', count)
  const rows = await addToEach(60)
  poolOf('writes').off('acquire', count)
  expect(rows.map(row => [row?.id, row?.n])).toEqual(Array.from({ length: 60 }, (_, at) => [String(at + 1), 1]))
  expect(messages).toBeLessThan(15)
  expect(Math.max(...rows.map(row => row!.groupOf))).toBe(16)
  expect(await countersThatAre(1)).toBe(60)
})

test('a few at once are made singly, without waiting for each other', async () => {
  const rows = await addToEach(2)
  expect(rows.map(row => row?.groupOf)).toEqual([0, 0])
})

test('a write whose row somebody else has locked waits alone, and those asked for with it do not', async () => {
  await beside.query('begin')
  await beside.query(`select from counters where id = '20' for update`)
  const others: Promise<Row | undefined>[] = []
  let locked: Promise<Row | undefined> | undefined
  for (let at = 1; at <= 30; at++) {
    if (at === 20) locked = add(at)
    else others.push(add(at))
  }
  expect((await Promise.all(others)).every(row => row?.n === 1)).toBe(true)
  await beside.query('rollback')
  expect(await locked).toEqual({ id: '20', n: 1, groupOf: 0 })
})

test('a write that fails fails alone, and those asked for with it are made once', async () => {
  const results = await Promise.all(
    Array.from({ length: 30 }, (_, at) => outcome(add(at + 1, at === 9 || at === 19 ? -1 : 1))),
  )
  const failed = results.flatMap((result, at) => (result instanceof Error ? [at] : []))
  expect(failed).toEqual([9, 19])
  expect(results[9]).toMatchObject({ code: '23514' })
  expect(await countersThatAre(1)).toBe(28)
})

test('several writes of one row are all made', async () => {
  const rows = await Promise.all(Array.from({ length: 40 }, () => add(5)))
  expect(rows.map(row => row?.n).toSorted((a, b) => a! - b!)).toEqual(Array.from({ length: 40 }, (_, at) => at + 1))
})

test('a statement that cannot be written fails its writes, and holds up no later ones', async () => {
  const refuse = grouped<Ask, Row>({
    statement: () => {
      throw new RangeError('no such statement')
    },
    subjectsOf: ({ id }) => [id],
  })
  const refuseEach = () =>
    Promise.all(
      Array.from({ length: 40 }, (_, at) => {
        const ask = { id: String(at + 1), by: 1 }
        return outcome(during(requestWork('writes'), () => refuse(ask, () => single(ask))))
      }),
    )
  for (const results of [await refuseEach(), await refuseEach()]) {
    expect(results.filter(result => result instanceof RangeError)).toHaveLength(38)
  }
  expect(await countersThatAre(2)).toBe(2)
})

test('if the connection breaks, nobody knows what became of the writes in its statement, and no other is lost or made twice', async () => {
  let results: Promise<unknown[]> | undefined
  await withGateClosed(async () => {
    results = Promise.all(Array.from({ length: 60 }, (_, at) => outcome(add(at + 1))))
    await until(async () => (await statementsUnderWay()).length === 2)
    await beside.query('select pg_terminate_backend($1)', [(await statementsUnderWay())[0]!.pid])
    await until(async () => (await statementsUnderWay()).length === 2)
  })
  const unknown = (await results!).filter(result => result instanceof Error)
  expect(unknown.length).toBeGreaterThan(0)
  expect(unknown.length).toBeLessThanOrEqual(16)
  for (const error of unknown) expect(error).toMatchObject({ name: 'OutcomeUnknown' })
  expect(await countersThatAre(1)).toBe(60 - unknown.length)
  expect(await countersThatAre(0)).toBe(unknown.length)
})

test('a wait ends after two seconds, and the write is not made later', async () => {
  let all: Promise<unknown> | undefined
  await withGateClosed(async () => {
    all = addToEach(34)
    expect(await outcome(add(60))).toMatchObject({ name: 'OutOfTime', code: 'ETIMEDOUT' })
  })
  await all
  expect(await countersThatAre(1)).toBe(34)
})

test('a request with little time left is made singly, and takes none from others', async () => {
  const inHaste = { ...requestWork('writes'), until: performance.now() + 3_000 }
  await withGateClosed(async () => {
    const all = addToEach(30)
    expect(await add(60, 1, inHaste)).toMatchObject({ n: 1, groupOf: 0 })
    void all
  })
  await expect.poll(() => countersThatAre(1)).toBe(31)
})

test('a statement ends with the time of whichever of its requests has the least left', async () => {
  await withGateClosed(async () => {
    const sooner = { ...requestWork('writes'), until: performance.now() + 4_000 }
    const all = [...Array.from({ length: 10 }, (_, at) => add(at + 1)), add(11, 1, sooner)].map(outcome)
    expect((await Promise.all(all)).at(-1)).toMatchObject({ name: 'OutcomeUnknown' })
  })
})

test('writes of jobs, which have limits of their own, are made singly', async () => {
  const rows = await Promise.all(Array.from({ length: 30 }, (_, at) => add(at + 1, 1, workOf('jobs', jobLimits))))
  expect(rows.every(row => row?.groupOf === 0)).toBe(true)
})

test('where each write stands for a server of its own, none is made together with others', async () => {
  shareWrites(false)
  try {
    expect((await addToEach(30)).every(row => row?.groupOf === 0)).toBe(true)
  } finally {
    shareWrites(true)
  }
})

test('the statement counts as sent by one of those whom it serves', async () => {
  const all: Promise<unknown>[] = []
  const sent: string[] = []
  await withGateClosed(async () => {
    all.push(addToEach(34))
    await until(async () => (await statementsUnderWay()).length === 2)
    const more = recorded(() => Promise.all([41, 42, 43].map(at => add(at))))
    all.push(more.then(statements => sent.push(...statements)))
  })
  await Promise.all(all)
  expect(sent).toHaveLength(1)
})

test('servers that show changes are told', async () => {
  const told = () =>
    new Promise(resolve => {
      beside.once('notification', resolve)
    })
  await addToEach(30)
  await beside.query('listen user_events')
  const telling = told()
  await withGateClosed(async () => {
    const all = addToEach(30)
    await until(async () => (await statementsUnderWay()).length === 2)
    // The signals of the single writes come no later than this one.
    await telling
    void all
  })
  await told()
  await beside.query('unlisten user_events')
})
