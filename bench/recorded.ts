/** Records the SQL that a use case sends, so that the baseline runs exactly the same statement. */
import pg from 'pg'
import { connect, disconnect } from '../src/kit/server/db.ts'
import type { Statement } from './bare.ts'

type Query = (statement: Statement | string, ...more: unknown[]) => unknown

export const recorded = async (url: string, act: () => Promise<unknown>): Promise<Statement[]> => {
  const statements: Statement[] = []
  const client = pg.Client.prototype as unknown as { query: Query }
  const original = client.query
  client.query = function record(this: pg.Client, statement, ...more) {
    if (typeof statement === 'object') statements.push({ text: statement.text, values: statement.values })
    return original.call(this, statement, ...more)
  }
  connect({ url, max: 1 })
  try {
    await act()
  } finally {
    client.query = original
    await disconnect()
  }
  return statements
}
