/** What the application, which runs in the test's process, sends to PostgreSQL. */
import pg from 'pg'

type Query = (statement: unknown, ...more: unknown[]) => unknown

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : ((statement as { text?: string }).text ?? '')

/** The statements sent while `act` runs, begin and commit among them. */
export const recorded = async (act: () => Promise<unknown>): Promise<string[]> => {
  const statements: string[] = []
  const client = pg.Client.prototype as unknown as { query: Query }
  const original = client.query
  client.query = function record(this: pg.Client, statement, ...more) {
    statements.push(textOf(statement))
    return original.call(this, statement, ...more)
  }
  try {
    await act()
  } finally {
    client.query = original
  }
  return statements
}
