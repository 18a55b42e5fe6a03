/**
 * Payment providers (product.md §4). What a provider is asked to do is recorded first (`provider_calls`), and asked under the
 * key of its call, which the provider carries out once, however often it is sent.
 */
import type { Instant } from '../../kit/clock.ts'

export type CallKind = 'CHARGE' | 'PAYOUT' | 'REFUND'

/** What a provider is asked, in cents. */
export type Asked = {
  key: string
  /** The charge, the withdrawal or the part of a refund. */
  subjectId: string
  /** The campaign of a charge, the tester of a payout, the payment of a refund. */
  of: string
  amountCents: number
  /** The payment method as its owner set it. */
  counterparty: string
  /** When it was recorded. */
  begunAt: Instant
  /** When it was first asked under this key. */
  sentAt: Instant
  /** Of before a restore: it may have been made already, under this key or another attempt's, which nobody knows of here. */
  mayBeMade: boolean
  /** Of a refund: so much of it had been paid before the data was restored. */
  earlierCents: number
}

/**
 * `DONE`: the money has moved; `feeCents` is what the provider kept of it. `REFUSED`: it will never move under this key, for a
 * reason that is a sentence. `EXPIRED`: of a charge that nobody paid in time. `PENDING`: accepted; its result comes by an event,
 * or when it is asked again under the same key. `LATER`: of a payout that is refused for now; it is asked for again under another
 * key, and the tester's money stays on its way. Anything else is an exception, and then nobody knows.
 */
export type Answer =
  | { outcome: 'DONE'; reference: string; feeCents?: number }
  | { outcome: 'REFUSED'; reason: string }
  | { outcome: 'EXPIRED' }
  | { outcome: 'PENDING'; reference?: string; checkoutUrl?: string }
  | { outcome: 'LATER'; reason: string }

export type Paid = Extract<Answer, { outcome: 'DONE' }>

/** Something that moved its balance. `id` is our subject's, the provider's of a dispute, of a fee for its own services and of what
 * names none of ours, and the other installation's of what that has moved on the same account. */
export type ProviderMovement = {
  kind: CallKind | 'DISPUTE' | 'FEE' | 'OTHER' | 'ELSEWHERE'
  id: string
  /** What the provider calls it. */
  reference: string
  /** What it adds to the balance, less what the provider kept. */
  cents: number
  /** Of a provider with fees. */
  movedAt?: Instant | undefined
}

export type PaymentProvider = {
  name: string
  /** Throws UNAVAILABLE when it cannot be asked at all at the moment, so that nothing is begun. */
  assertReady: () => Promise<void>
  /** It takes no smaller payment. */
  leastChargeCents?: number
  charge: (asked: Asked) => Promise<Answer>
  payOut: (asked: Asked) => Promise<Answer>
  refund: (asked: Asked) => Promise<Answer>
  /**
   * What became of something whose key the provider may have forgotten, whichever attempt it was made by. Throws when that is not
   * clear; `NOT_MADE` is certain.
   */
  lookUp: (kind: CallKind, asked: Asked) => Promise<Answer | 'NOT_MADE'>
  /**
   * Closes the page on which a charge can be paid, where there is one; what was paid by then is an answer of the charge. Its key may be
   * forgotten unless `maySend`.
   */
  endCharge?: (asked: Asked, key: { maySend: boolean }) => Promise<void>
  /** What a restored copy asks for is looked up first: the key of the original may be forgotten by now. */
  forgetsKeys?: true
  /** What it holds for us, in cents. */
  balanceCents: () => Promise<number>
  /** All that moved it. Not of the sandbox, whose own file is compared. Takes its time. */
  movements?: () => AsyncIterable<ProviderMovement>
  /** Of that, charges that the database does not know of, and which go back by themselves: of before a restore. Takes its time. */
  unclaimedCents?: () => Promise<number>
  /** Seconds between a request and its execution by a job. */
  delaySeconds: number
  /** After how many seconds what is pending is asked for again. */
  pollSeconds: number
}
