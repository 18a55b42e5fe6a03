/** Ends connections of the server at a chosen point, as the death of a process or machine would. */
import type pg from 'pg'
import type { TestApp } from './app.ts'
import { connectBeside } from './observed.ts'

/** The server's connections that wait for another connection's lock. */
const waiting = `select pid from pg_stat_activity where datname = current_database() and application_name = 'fieldtest'
  and wait_event_type = 'Lock' and $1::int = any(pg_blocking_pids(pid))`

export type Crashes = {
  /** Runs `work` until `count` of its transactions wait for the rows that `rows` selects, and kills them there. */
  crashAt: <T>(rows: string, values: unknown[], count: number, work: () => Promise<T>) => Promise<T>
  stop: () => Promise<void>
}

/** Uses two connections: one blocks the rows, the other kills. */
export const prepareCrashes = async (t: Pick<TestApp, 'databaseUrl'>): Promise<Crashes> => {
  const [blocker, killer] = await Promise.all([connectBeside(t), connectBeside(t)])
  const blockerPid = (await blocker.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
  return {
    crashAt: async (rows, values, count, work) => {
      await blocker.query('begin')
      await blocker.query(`${rows} for update`, values)
      const done = work()
      const victims = (await waitFor(killer, blockerPid, count)).slice(0, count)
      await killer.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [victims])
      await blocker.query('rollback')
      return done
    },
    stop: async () => {
      await Promise.all([blocker.end(), killer.end()])
    },
  }
}

/** Polls until that many wait; otherwise the test's time limit ends it. */
const waitFor = async (killer: pg.Client, blockerPid: number, count: number): Promise<number[]> => {
  for (;;) {
    const { rows } = await killer.query<{ pid: number }>(waiting, [blockerPid])
    if (rows.length >= count) return rows.map(row => row.pid)
  }
}
