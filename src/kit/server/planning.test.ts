/** A statement whose plan depends on its values is prepared but planned on each use; its connection plans others as before. */
import type pg from 'pg'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { poolOf } from './connections.ts'
import { autocommit, planEachTime, sql, transact, type Tx, usePreparedStatements } from './db.ts'
import { during, requestLimits, workOf } from './limits.ts'
import { rowLimit } from './rowLimits.ts'

// One connection, so each statement finds the settings that the one before it has left.
const t = testApp({ POOL_SIZES: 'reads=1' })

beforeAll(async () => {
  // The tests' PostgreSQL plans once for all values; a new connection plans as in production.
  await t.look(`do $$ begin execute format('alter database %I set plan_cache_mode = auto', current_database()); end $$`)
  const client = await poolOf('reads').connect()
  client.release(true)
  await t.look('create table words (id int generated always as identity primary key, word text not null)')
  await t.look(`insert into words (word) select 'common' from generate_series(1, 20000)`)
  await t.look('create index words_word on words (word)')
  await t.look('vacuum analyze words')
  await t.look('grant select on words to public')
})
beforeEach(() => usePreparedStatements(true, true))

const asReader = <T>(work: () => Promise<T>) => during(workOf('reads', requestLimits), work)
const searched = (tx: Tx, word: string) =>
  tx.value<number>(planEachTime(sql`select count(*) as searched from words where word = ${word}`))
const byId = (id: number) => autocommit.rows(sql`select word as by_id from words where id = ${id}`)

type Plans = { custom: number; generic: number }

/**
 * How often the statement with these words was planned for its values, and how often a kept plan was used; undefined if it is not
 * prepared.
 */
const plansOf = async (words: string): Promise<Plans | undefined> => {
  const client = await poolOf('reads').connect()
  try {
    const { rows: found } = await client.query<Plans>(
      `select custom_plans::int as custom, generic_plans::int as generic from pg_prepared_statements
        where position($1 in statement) > 0`,
      [words],
    )
    return found[0]
  } finally {
    client.release()
  }
}

const settingOf = async (client: pg.Pool) => {
  const { rows: found } = await client.query<{ plan_cache_mode: string }>('show plan_cache_mode')
  return found[0]!.plan_cache_mode
}

test('a search is prepared once and planned for its words on each use; reads by key keep their plan in between and afterwards', async () => {
  for (let use = 0; use < 10; use++) {
    // With this word alone PostgreSQL would find that a plan for all words is good enough, and keep one.
    expect(await asReader(() => searched(autocommit, 'common'))).toBe(20_000)
    expect(await asReader(() => byId(use + 1))).toHaveLength(1)
  }
  expect(await plansOf('as searched')).toEqual({ custom: 10, generic: 0 })
  expect(await plansOf('as by_id')).toEqual({ custom: 5, generic: 5 })
})

test('in a transaction, which would undo the setting, a search is not prepared', async () => {
  const client = await poolOf('reads').connect()
  await client.query('deallocate all')
  client.release(true)
  const counts = () => asReader(() => transact(tx => searched(tx, 'common')))
  for (let use = 0; use < 7; use++) expect(await counts()).toBe(20_000)
  expect(await plansOf('as searched')).toBeUndefined()
  // A transaction does not inherit the setting of an earlier search either.
  await asReader(() => searched(autocommit, 'rare'))
  expect(await settingOf(poolOf('reads'))).toBe('force_custom_plan')
  await counts()
  expect(await settingOf(poolOf('reads'))).toBe('auto')
})

test('behind a pooler that shares sessions nothing is set, and a search is not prepared', async () => {
  usePreparedStatements(true, false)
  onTestFinished(() => usePreparedStatements(true, true))
  const client = await poolOf('reads').connect()
  client.release(true)
  for (let use = 0; use < 7; use++) expect(await asReader(() => searched(autocommit, 'common'))).toBe(20_000)
  expect(await settingOf(poolOf('reads'))).toBe('auto')
  expect(await plansOf('as searched')).toBeUndefined()
})

test('a page of a usual size keeps its plan, and all other sizes share one text', async () => {
  const page = (limit: number) =>
    asReader(() =>
      autocommit.rows(
        sql`select id as of_page from words where word = ${'common'} order by id limit ${rowLimit(limit)}`,
      ),
    )
  for (let use = 0; use < 10; use++) expect(await page(21)).toHaveLength(21)
  expect((await plansOf('as of_page'))?.generic).toBe(5)
  const texts = [20, 21, 37, 38, 99].map(size => rowLimit(size).text)
  expect(texts).toEqual(['20', '21', '$1', '$1', '$1'])
})
