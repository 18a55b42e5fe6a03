/** Records the SQL that a use case sends, so that the baseline runs the very same statement. */
import pg from 'pg'
import { connect, disconnect } from '../src/kit/server/db.ts'
import type { Statement } from './bare.ts'

type Query = (statement: Statement) => Promise<pg.QueryResult>

export const recorded = async (url: string, act: () => Promise<unknown>): Promise<Statement[]> => {
  const statements: Statement[] = []
  const pool = pg.Pool.prototype as unknown as { query: Query }
  const original = pool.query
  pool.query = function record(this: pg.Pool, statement) {
    statements.push({ text: statement.text, values: statement.values })
    return original.call(this, statement)
  }
  connect({ url, max: 1 })
  try {
    await act()
  } finally {
    pool.query = original
    await disconnect()
  }
  return statements
}
