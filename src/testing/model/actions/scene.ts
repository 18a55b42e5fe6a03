/** What an action of the model is, and what actions are made from. */
import type { Books, Code, Person } from '../books.ts'
import type { SimulatedProvider } from '../provider.ts'

/** Reads the database on a connection outside of the gate. */
export type Look = <Row>(text: string, values?: unknown[]) => Promise<Row[]>

export type Attempt = {
  name: string
  /** Who does what to whom, by number, so that it is the same in every run of a history. */
  label: string
  run: () => Promise<unknown>
  /** Matches the statements of the turn in which the action is decided. */
  decides: RegExp
  /** What the books say at that turn: the code of a refusal, or null after they have applied the action. */
  decide: (statements: string) => Promise<Code | null> | Code | null
  /** Sent with an idempotency key, so it may be repeated. */
  keyed?: boolean
  by?: Person
  /** Talks to the provider. */
  asksProvider?: boolean
  /** Whether this can be the answer, where an answer says more than whether it was refused. */
  isOutcome?: (outcome: Code | null) => boolean
  /** A job that may fail and is tried again. */
  mayFail?: boolean
  /** Its refusals depend on more than one turn. */
  looksAgain?: boolean
  /** Its id in pg-boss's table, where it stays until it has run to its end. */
  jobId?: string
  /** What its caller knows once it was acknowledged. */
  about?: { key?: string; cents?: number; verifies?: boolean }
}

/** A waiting job, named by the numbers of the things that it is about. */
export type WaitingJob = { id: string; label: string; run: () => Promise<void>; isRare?: boolean }

export type Scene = {
  books: Books
  look: Look
  provider: SimulatedProvider
  /** Creates an account in place of a deleted one. */
  replace: (gone: Person) => Promise<void>
  /** After a turn of a job, update the books with what the clock or a provider has done. */
  followDeadlines: () => Promise<void>
  followPayments: () => Promise<void>
  followDisputes: () => Promise<void>
  /** The keys of what was done, and when it was done. */
  keys: Map<string, number>
  /** How requests with these keys were answered. */
  answers: Map<string, Code | null>
  /** Earlier calls that may be repeated. */
  earlier: Attempt[]
  /** The waiting jobs of payouts and refunds, in an order that does not depend on ids. */
  jobs: () => Promise<readonly WaitingJob[]>
}

export const password = 'p'

/** Random choices: the same numbers make the same choices. */
export type Draw = (below: number) => number
