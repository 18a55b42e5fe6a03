/** What an action of the model is, and what it is made from. */
import type { Books, Code, Person } from '../books.ts'
import type { SimulatedProvider } from '../provider.ts'

/** Reads the database as it is, beside the gate. */
export type Look = <Row>(text: string, values?: unknown[]) => Promise<Row[]>

export type Attempt = {
  name: string
  /** Who does what to whom, by their numbers: the same in every run of a history. */
  label: string
  run: () => Promise<unknown>
  /** In which of its turns it is decided, by the turn's statements. */
  decides: RegExp
  /** What the books say in the state of that turn: why it is refused, or null and what follows from it. */
  decide: (statements: string) => Promise<Code | null> | Code | null
  /** Sent with a key: it may be called again. */
  keyed?: boolean
  by?: Person
  /** Speaks with the provider. */
  asksProvider?: boolean
  /** Where the answer tells more than the decision: whether it may be this one. */
  isOutcome?: (outcome: Code | null) => boolean
  /** A job that may fail, to be tried again. */
  mayFail?: boolean
  /** Its refusals depend on more than one turn. */
  looksAgain?: boolean
  /** In pg-boss's table: there until it has run to its end. */
  jobId?: string
  /** What its caller knows once it is acknowledged. */
  about?: { key?: string; cents?: number; verifies?: boolean }
}

/** A job that waits, by the numbers of what it is about. */
export type WaitingJob = { id: string; label: string; run: () => Promise<void>; isRare?: boolean }

export type Scene = {
  books: Books
  look: Look
  provider: SimulatedProvider
  /** A new account in place of one that has gone. */
  replace: (gone: Person) => Promise<void>
  /** Brings the books to what the clock has done, or a provider, after a turn of a job. */
  followDeadlines: () => Promise<void>
  followPayments: () => Promise<void>
  followDisputes: () => Promise<void>
  /** Keys of what was done, and when. */
  keys: Map<string, number>
  /** How requests with these keys were answered. */
  answers: Map<string, Code | null>
  /** What was called, to be called again. */
  earlier: Attempt[]
  /** The jobs of payouts and refunds that wait, in an order that does not depend on ids. */
  jobs: () => Promise<readonly WaitingJob[]>
}

export const password = 'p'

/** Numbers that decide between things: the same numbers, the same things. */
export type Draw = (below: number) => number
