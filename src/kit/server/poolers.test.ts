/** Connections are set up as the operator says; `npm run pgbouncer` tests a pooler in transaction mode. */
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { parsePoolSizes } from './connections.ts'
import { autocommit, sql, usePreparedStatements } from './db.ts'
import { refusePoolers } from './poolers.ts'
import { poolsInUse } from './sharing.ts'

const t = testApp({ POOL_SIZES: 'reads=3,jobs=1' })

test('a database without a pooler in front is accepted, whichever address names it', async () => {
  const { databaseUrl } = t
  await refusePoolers(databaseUrl, { preparedStatements: true })
  await refusePoolers(databaseUrl, { directUrl: databaseUrl, migrationUrl: databaseUrl, preparedStatements: true })
})

test('a pool has as many connections as its setting says, and the other pools have their defaults', () => {
  const max = Object.fromEntries(poolsInUse().map(pool => [pool.name, pool.max]))
  expect(max).toEqual({ reads: 3, jobs: 1, writes: 10, sessions: 4, queue: 2, health: 1, owner: 2 })
})

test.each(['', 'reads', 'reads=0', 'reads=1000', 'reads=-1', 'reads=1.5', 'other=4', 'reads=4;writes=4', 'toString=4'])(
  'invalid pool sizes are refused: %s',
  text => {
    expect(parsePoolSizes(text)).toMatch(/^must be sizes from 1 to 999 of reads, /)
  },
)

test('without named statements, PostgreSQL keeps none prepared', async () => {
  // This query finds itself if it is kept prepared.
  const remembered = () =>
    autocommit.rows(sql`select name from pg_prepared_statements where statement like '%pg_prepared_statements%'`)
  usePreparedStatements(false, true)
  onTestFinished(() => usePreparedStatements(true, true))
  expect([...(await remembered()), ...(await remembered())]).toEqual([])
  usePreparedStatements(true, true)
  expect(await remembered()).toHaveLength(1)
})
