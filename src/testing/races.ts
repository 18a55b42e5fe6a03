/** Two requests in a chosen order: the first is held up halfway, and the second overtakes it if it can. */
import type pg from 'pg'
import type { TestApp } from './app.ts'
import { connectBeside } from './observed.ts'
import { until } from './until.ts'

const waiting = `select count(*)::int as waiting from pg_stat_activity where datname = current_database()
  and application_name = 'fieldtest' and wait_event_type = 'Lock'`

/** Waits until so many connections of the server wait for a lock, or `done` has ended. */
export const untilWaiting = async (beside: pg.Client, count: number, done: Promise<unknown>): Promise<void> => {
  const state = { over: false }
  void done.catch(() => undefined).finally(() => (state.over = true))
  await until(async () => state.over || (await beside.query<{ waiting: number }>(waiting)).rows[0]!.waiting >= count)
}

/** Holds up the first request at the rows that `rows` selects, lets the second go as far as it can, then releases both. */
export const overtaken = async <A, B>(
  t: Pick<TestApp, 'databaseUrl'>,
  { rows, values }: { rows: string; values: unknown[] },
  first: () => Promise<A>,
  second: () => Promise<B>,
): Promise<[A, B]> => {
  const [holder, observer] = await Promise.all([connectBeside(t), connectBeside(t)])
  try {
    await holder.query('begin')
    await holder.query(`${rows} for update`, values)
    const held = first()
    await untilWaiting(observer, 1, held)
    const overtaking = second()
    await untilWaiting(observer, 2, overtaking)
    await holder.query('rollback')
    return await Promise.all([held, overtaking])
  } finally {
    await Promise.all([holder.end(), observer.end()])
  }
}

/** Whether `act` holds the rows that `holds` selects while it waits for those that `waits` selects. */
export const holdsWhileWaiting = async (
  t: Pick<TestApp, 'databaseUrl'>,
  act: () => Promise<unknown>,
  { waits, holds }: Record<'waits' | 'holds', { rows: string; values: unknown[] }>,
): Promise<boolean> => {
  const [holder, observer] = await Promise.all([connectBeside(t), connectBeside(t)])
  try {
    await holder.query('begin')
    await holder.query(`${waits.rows} for update`, waits.values)
    const acting = act()
    await untilWaiting(observer, 1, acting)
    const free = await observer.query(`${holds.rows} for update skip locked`, holds.values)
    await holder.query('rollback')
    await acting
    return free.rowCount === 0
  } finally {
    await Promise.all([holder.end(), observer.end()])
  }
}
