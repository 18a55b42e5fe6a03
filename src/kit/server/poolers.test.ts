/** Connections are as an operator says; `npm run pgbouncer` tries a pooler in transaction mode. */
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { parsePoolSizes } from './connections.ts'
import { autocommit, sql, usePreparedStatements } from './db.ts'
import { refusePoolers } from './poolers.ts'
import { poolsInUse } from './sharing.ts'

const t = testApp({ POOL_SIZES: 'reads=3,jobs=1' })

test('a database without a pooler before it is taken, whichever address names it', async () => {
  const { databaseUrl } = t
  await refusePoolers(databaseUrl, { preparedStatements: true })
  await refusePoolers(databaseUrl, { directUrl: databaseUrl, migrationUrl: databaseUrl, preparedStatements: true })
})

test('a pool has as many connections as its setting says, and the others as many as without it', () => {
  const max = Object.fromEntries(poolsInUse().map(pool => [pool.name, pool.max]))
  expect(max).toEqual({ reads: 3, jobs: 1, writes: 10, sessions: 4, queue: 2, health: 1, owner: 2 })
})

test.each(['', 'reads', 'reads=0', 'reads=1000', 'reads=-1', 'reads=1.5', 'other=4', 'reads=4;writes=4', 'toString=4'])(
  'sizes that are none are refused: %s',
  text => {
    expect(parsePoolSizes(text)).toMatch(/^must be sizes from 1 to 999 of reads, /)
  },
)

test('without named statements PostgreSQL is asked to remember none', async () => {
  // Finds itself, where it is remembered.
  const remembered = () =>
    autocommit.rows(sql`select name from pg_prepared_statements where statement like '%pg_prepared_statements%'`)
  usePreparedStatements(false, true)
  onTestFinished(() => usePreparedStatements(true, true))
  expect([...(await remembered()), ...(await remembered())]).toEqual([])
  usePreparedStatements(true, true)
  expect(await remembered()).toHaveLength(1)
})
