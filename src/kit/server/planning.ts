/**
 * Statements whose best plan depends on their values (`planEachTime`) are prepared as well, which saves PostgreSQL the reading of
 * their text, and us the description of their columns. On a connection that runs one of them `plan_cache_mode` is set before it,
 * and set back before the next ordinary statement: under load most connections stay as they are.
 */
import type pg from 'pg'
import { keepsSessionSettings, setBefore } from './sessionSettings.ts'

export type Query = pg.QueryConfig & {
  /** Never by a plan that was made for all values alike. */
  plannedEachTime?: boolean
}

const planning = new WeakSet<pg.ClientBase>()

/** Sends the setting before what needs it, in the same message. Never in a transaction, which would take it back. */
export const setPlanning = (client: pg.PoolClient, eachTime: boolean): void => {
  if (!keepsSessionSettings() || planning.has(client) === eachTime) return
  if (eachTime) planning.add(client)
  else planning.delete(client)
  // It fails, for one, when a cancelled read's cancellation comes late.
  setBefore(client, eachTime ? 'set plan_cache_mode = force_custom_plan' : 'reset plan_cache_mode')
}

/** The name to prepare it under on this connection, if any. */
export const nameOn = (client: pg.ClientBase, { name, plannedEachTime = false }: Query): string | undefined =>
  plannedEachTime && !planning.has(client) ? undefined : name
