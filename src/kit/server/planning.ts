/**
 * Statements whose best plan depends on their values (`planEachTime`) are prepared as well, which saves PostgreSQL from parsing
 * them again and us from a description of their columns. `plan_cache_mode` is set on a connection before it runs one of them, and
 * reset before the next ordinary statement, so most connections stay as they are under load.
 */
import type pg from 'pg'
import { keepsSessionSettings, setBefore } from './sessionSettings.ts'

export type Query = pg.QueryConfig & {
  /** Never run with a plan that was made for all values alike. */
  plannedEachTime?: boolean
  /** The row that it wants to change, if it takes turns with other writes of that row (turns.ts). */
  row?: string | undefined
}

const planning = new WeakSet<pg.ClientBase>()

/** Sends the setting in the same message as the statement that needs it. Never in a transaction, which would undo it. */
export const setPlanning = (client: pg.PoolClient, eachTime: boolean): void => {
  if (!keepsSessionSettings() || planning.has(client) === eachTime) return
  if (eachTime) planning.add(client)
  else planning.delete(client)
  // This fails, for example, if the cancellation of a cancelled read arrives late.
  setBefore(client, eachTime ? 'set plan_cache_mode = force_custom_plan' : 'reset plan_cache_mode')
}

/** The name under which to prepare the statement on this connection, if any. */
export const nameOn = (client: pg.ClientBase, { name, plannedEachTime = false }: Query): string | undefined =>
  plannedEachTime && !planning.has(client) ? undefined : name
