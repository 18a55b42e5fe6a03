/** Ends connections of the server at a chosen point, as if its process or machine died. */
import type { TestApp } from './app.ts'
import { connectBeside } from './observed.ts'
import { until } from './until.ts'

/** The server's connections that wait for another connection's lock. */
const waiting = `select pid from pg_stat_activity where datname = current_database() and application_name = 'fieldtest'
  and wait_event_type = 'Lock' and $1::int = any(pg_blocking_pids(pid))`

export type Crashes = {
  /** Runs `work` until it waits for the rows that `rows` selects and kills it there, again each time it retries. */
  crashAt: <T>(rows: string, values: unknown[], work: () => Promise<T>) => Promise<T>
  /** Runs `work` until `count` of its transactions wait for these rows, and kills them there, once. */
  breakAt: <T>(rows: string, values: unknown[], count: number, work: () => Promise<T>) => Promise<T>
  stop: () => Promise<void>
}

/** Uses two connections: one locks the rows, the other kills. */
export const prepareCrashes = async (t: Pick<TestApp, 'databaseUrl'>): Promise<Crashes> => {
  const [blocker, killer] = await Promise.all([connectBeside(t), connectBeside(t)])
  const blockerPid = (await blocker.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
  const victims = async () => (await killer.query<{ pid: number }>(waiting, [blockerPid])).rows.map(({ pid }) => pid)
  const kill = async (pids: readonly number[]) => {
    if (pids.length > 0) await killer.query('select pg_terminate_backend(pid) from unnest($1::int[]) pid', [pids])
  }
  const blocking = async <T>(rows: string, values: unknown[], run: () => Promise<T>) => {
    await blocker.query('begin')
    await blocker.query(`${rows} for update`, values)
    try {
      return await run()
    } finally {
      await blocker.query('rollback')
    }
  }
  return {
    crashAt: (rows, values, work) =>
      blocking(rows, values, async () => {
        const done = work()
        const state = { over: false }
        void done.catch(() => undefined).finally(() => (state.over = true))
        await until(async () => {
          await kill(await victims())
          return state.over
        })
        return done
      }),
    breakAt: async (rows, values, count, work) => {
      const done = await blocking(rows, values, async () => {
        const working = work()
        await until(async () => {
          const found = await victims()
          const isReached = found.length >= count
          if (isReached) await kill(found.slice(0, count))
          return isReached
        })
        return { working }
      })
      return done.working
    },
    stop: async () => {
      await Promise.all([blocker.end(), killer.end()])
    },
  }
}
