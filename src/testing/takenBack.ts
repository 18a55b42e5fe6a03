/** Shows what a statement would do, without lasting effects. */
import type pg from 'pg'
import type { TestApp } from './app.ts'
import { connectBeside } from './observed.ts'

export type Beside = {
  /** The value of an expression. */
  one: <Value>(expression: string, values?: unknown[]) => Promise<Value>
  rows: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>
  /** The error of an expression; the transaction stays usable. */
  refused: (expression: string, values?: unknown[]) => Promise<string>
}

/** Runs the work in a transaction, which is then rolled back. */
export const takenBackIn = async (
  t: Pick<TestApp, 'databaseUrl'>,
  work: (beside: Beside) => Promise<void>,
): Promise<void> => {
  const client = await connectBeside(t)
  const rows = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows
  const one = async <Value>(expression: string, values: unknown[] = []) =>
    (await rows<{ value: Value }>(`select ${expression} as value`, values))[0]!.value
  try {
    await client.query('begin')
    await work({
      one,
      rows,
      refused: async (expression, values) => {
        await client.query('savepoint before')
        const message = await one(expression, values).then(
          () => 'nothing was wrong',
          (error: unknown) => (error as Error).message,
        )
        await client.query('rollback to before')
        return message
      },
    })
  } finally {
    await client.query('rollback')
    await client.end()
  }
}
