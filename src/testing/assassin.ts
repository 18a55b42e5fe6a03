/** A connection of the server dies at a chosen point, as it does when a process or a machine goes away. */
import type pg from 'pg'
import type { TestApp } from './app.ts'
import { connectBeside } from './witness.ts'

/** The server's connections that wait for the lock of another one. */
const waiting = `select pid from pg_stat_activity where datname = current_database() and application_name = 'fieldtest'
  and wait_event_type = 'Lock' and $1::int = any(pg_blocking_pids(pid))`

export type Assassin = {
  /** Lets `work` run until `count` of its transactions wait for the rows that `rows` selects, and kills them right there. */
  dieAt: <T>(rows: string, values: unknown[], count: number, work: () => Promise<T>) => Promise<T>
  stop: () => Promise<void>
}

/** Two clients beside the server: one stands in the way, the other one kills. */
export const hireAssassin = async (t: Pick<TestApp, 'databaseUrl'>): Promise<Assassin> => {
  const [blocker, killer] = await Promise.all([connectBeside(t), connectBeside(t)])
  const blockerPid = (await blocker.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
  return {
    dieAt: async (rows, values, count, work) => {
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

/** Asks until so many wait; what never comes ends with the test's own time limit. */
const waitFor = async (killer: pg.Client, blockerPid: number, count: number): Promise<number[]> => {
  for (;;) {
    const { rows } = await killer.query<{ pid: number }>(waiting, [blockerPid])
    if (rows.length >= count) return rows.map(row => row.pid)
  }
}
