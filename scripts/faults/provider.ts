/** The provider of a run, with what people and time do there, and its own account of what it did. */
import type pg from 'pg'
import type { Crowd } from './clients.ts'

/** `CHARGE`, `PAYOUT`, `RETURN` or `REFUND` and our id of it. */
export type Movement = { name: string; cents: number }

export type Provider = {
  /** For the servers. */
  env: Record<string, string>
  /** Its own values for what real life does; the first part of an address. */
  addresses: readonly string[]
  prepare: (db: pg.Client, crowd: Crowd) => Promise<void>
  /** People pay, and what happened is told, until it is over. */
  live: (servers: () => readonly string[], over: AbortSignal) => Promise<void>
  /** Tells all that is due by the clock. */
  tell: (servers: () => readonly string[]) => Promise<void>
  /**
   * Before the clock moves by a day: no request is on its way for so long, nor is any repeated after so long under its key, which
   * the provider would have forgotten.
   */
  calm: () => Promise<void>
  /** Nothing is lost on the way any more. */
  heal: () => void
  /** How often each thing went wrong on the way there and back. */
  lost: () => Record<string, number>
  movements: () => Promise<Movement[]>
  /** What it holds for us. */
  heldCents: () => Promise<number>
  stop: () => Promise<void>
}
