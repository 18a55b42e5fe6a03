/** The provider of a run, with what people do there, what happens as time passes, and its own record of what it did. */
import type pg from 'pg'
import type { Crowd } from './clients.ts'

/** `name` is `CHARGE`, `PAYOUT`, `RETURN` or `REFUND`, and our id. */
export type Movement = { name: string; cents: number }

export type Provider = {
  /** The servers' settings. */
  env: Record<string, string>
  /** The beginnings of email addresses, which make the provider behave in different ways. */
  addresses: readonly string[]
  prepare: (db: pg.Client, crowd: Crowd) => Promise<void>
  /** Until `over`, people pay, and events are delivered. */
  live: (servers: () => readonly string[], over: AbortSignal) => Promise<void>
  /** Delivers every event that is due by the clock. */
  tell: (servers: () => readonly string[]) => Promise<void>
  /**
   * Waits until nothing is on its way, before the clock moves by a day: no real request takes a day, or is repeated after a day
   * with a key that the provider would have forgotten.
   */
  calm: () => Promise<void>
  /** From now on nothing is lost on the way. */
  heal: () => void
  /** How often each thing went wrong on the way there or back. */
  lost: () => Record<string, number>
  movements: () => Promise<Movement[]>
  /** The money that it holds for us. */
  heldCents: () => Promise<number>
  stop: () => Promise<void>
}
