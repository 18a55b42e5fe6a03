import type { Tx } from '../../kit/server/db.ts'

/**
 * Looks at what an event of a provider is about, asks the provider how it stands now, and gives what is written in the transaction
 * that marks the event as worked off. It may run again: what it does before that has to be harmless twice.
 */
export type EventHandler = (payload: unknown) => Promise<(tx: Tx) => Promise<void>>
