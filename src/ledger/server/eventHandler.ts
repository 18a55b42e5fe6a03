import type { Tx } from '../../kit/server/db.ts'

/**
 * Looks up what a provider's event is about, asks the provider for its present state, and returns what to write in the transaction
 * that marks the event as done. It may run again, so whatever it does before that transaction has to be repeatable.
 */
export type EventHandler = (payload: unknown) => Promise<(tx: Tx) => Promise<void>>
