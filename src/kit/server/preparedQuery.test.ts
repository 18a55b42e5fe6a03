/** What we rely on inside pg: a statement is described once per connection, and its results equal those of pg's own queries. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { connectBeside } from '../../testing/observed.ts'
import { types } from './connections.ts'
import { type Done, PreparedQuery } from './preparedQuery.ts'

const t = testApp()
let client: pg.Client
let described = 0

beforeAll(async () => {
  client = await connectBeside(t, { pipeline: true })
  const { connection } = client as unknown as { connection: { on: (event: string, seen: () => void) => void } }
  connection.on('rowDescription', () => described++)
  await client.query('create temp table notes (id int primary key, words text)')
})
afterAll(() => client.end())

const ask = (name: string | undefined, text: string, values: unknown[] = []) =>
  new Promise<pg.QueryResult>((resolve, reject) => {
    const done: Done = (error, result) => (error ? reject(error) : resolve(result))
    client.query(new PreparedQuery({ name, text, values }, types, done) as unknown as pg.Submittable)
  })

const everyType = `select 1 as "number", 9007199254740991::int8 as cents, null::int8 as "none", 'a "b" \\ é' as words,
  ''::text as empty, true as yes, array['x', 'y,z'] as "list", '{}'::text[] as nothing, '{"a": [1, null]}'::jsonb as facts,
  '2026-02-28 23:59:59.123456+00'::timestamptz as at, '2026-02-28'::date as day, decode('00ff', 'hex') as bytes,
  '0192f0c1-2b3c-7d4e-8f50-123456789abc'::uuid as id, 1.5::float8 as share, 12.50::numeric as exact, '{1,2}'::int[] as numbers
  from generate_series(1, $1::int)`

describe('a statement that was used before on the same connection', () => {
  test('is not described again, and returns what pg returns', async () => {
    const { rows, rowCount } = await client.query({ text: everyType, values: [2], types })
    described = 0
    for (let use = 0; use < 3; use++) {
      const answer = await ask('every-type', everyType, [2])
      expect(answer.rows).toEqual(rows.map(row => ({ ...(row as object) })))
      expect(answer.rowCount).toBe(rowCount)
    }
    expect(described).toBe(1)
    expect((await ask('every-type', everyType, [0])).rows).toEqual([])
    expect((await ask(undefined, everyType, [2])).rows).toEqual(rows.map(row => ({ ...(row as object) })))
  })

  test('is not described again when it writes either, with or without rows to return', async () => {
    const insert = `insert into notes values ($1, $2)`
    expect([
      (await ask('insert', insert, [1, 'one'])).rowCount,
      (await ask('insert', insert, [2, 'two'])).rowCount,
    ]).toEqual([1, 1])
    described = 0
    const update = `update notes set words = words || '!' where id >= $1 returning id, words`
    const first = await ask('update', update, [1])
    const second = await ask('update', update, [2])
    expect([first.rowCount, first.rows.length, second.rows]).toEqual([2, 2, [{ id: 2, words: 'two!!' }]])
    expect(described).toBe(1)
  })

  test('may be sent several times at once, even the first time', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(number => ask('at-once', 'select $1::int as "number", $1::text as words', [number])),
    )
    expect(answers.flatMap(({ rows }) => rows)).toEqual([1, 2, 3].map(number => ({ number, words: String(number) })))
  })

  test('fails alone: the statements after it on the connection are answered', async () => {
    const divide = 'select 6 / $1::int as part'
    const [whole, broken, half] = await Promise.allSettled([6, 0, 3].map(by => ask('divide', divide, [by])))
    expect(whole).toMatchObject({ value: { rows: [{ part: 1 }] } })
    expect(broken).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
    expect(half).toMatchObject({ value: { rows: [{ part: 2 }] } })
    const tooLarge = 'select $1::int8 as cents'
    expect((await ask('cents', tooLarge, ['5'])).rows).toEqual([{ cents: 5 }])
    await expect(ask('cents', tooLarge, ['9007199254740992'])).rejects.toThrow('exceeds the safe integers')
    expect((await ask('cents', tooLarge, ['6'])).rows).toEqual([{ cents: 6 }])
  })

  test('is refused if its columns have changed, and never read as the old ones', async () => {
    await client.query('create temp table changing (a int, b text)')
    await client.query(`insert into changing values (1, 'x')`)
    expect((await ask('changing', 'select * from changing')).rows).toEqual([{ a: 1, b: 'x' }])
    await client.query('alter table changing drop column a')
    await expect(ask('changing', 'select * from changing')).rejects.toThrow('cached plan must not change result type')
    expect((await ask(undefined, 'select * from changing where $1', [true])).rows).toEqual([{ b: 'x' }])
  })
})
