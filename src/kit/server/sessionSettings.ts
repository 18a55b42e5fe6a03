/**
 * Settings that a connection keeps from one statement to the next. Behind a transaction pooler they would reach strangers, and
 * are not used.
 */
import type pg from 'pg'
import { lose } from './connections.ts'
import { type Limits, sessionText } from './limits.ts'

let kept = true
export const keepSessionSettings = (on: boolean): void => {
  kept = on
}
export const keepsSessionSettings = (): boolean => kept

/** Sends a setting before what needs it, in the same message. When that fails, nobody knows what the connection would do. */
export const setBefore = (client: pg.ClientBase, setting: string): void => {
  client.query(setting).catch(() => lose(client))
}

const limited = new WeakSet<pg.ClientBase>()

/** The limits of all work of this connection, which has them from its first statement on. */
export const keepLimits = (client: pg.ClientBase, limits: Limits): void => {
  if (limited.has(client)) return
  limited.add(client)
  setBefore(client, sessionText(limits))
}
