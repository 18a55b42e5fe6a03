/**
 * Settings that a connection keeps from one statement to the next. Behind a transaction pooler they would affect strangers, so
 * none are used there.
 */
import type pg from 'pg'
import { lose } from './connections.ts'
import { type Limits, sessionText } from './limits.ts'

let kept = true
export const keepSessionSettings = (on: boolean): void => {
  kept = on
}
export const keepsSessionSettings = (): boolean => kept

/**
 * Sends a setting in the same message as the statement that needs it. If it fails, the connection's state is unknown and it is
 * given up.
 */
export const setBefore = (client: pg.ClientBase, setting: string): void => {
  client.query(setting).catch(() => lose(client))
}

const limited = new WeakSet<pg.ClientBase>()

/** Sets the limits once, for everything that this connection does from its first statement on. */
export const keepLimits = (client: pg.ClientBase, limits: Limits): void => {
  if (limited.has(client)) return
  limited.add(client)
  setBefore(client, sessionText(limits))
}
