/**
 * Payment providers (product.md §4). Every request to a provider is recorded first (`provider_calls`) and sent under the key of its
 * call. The provider carries out each key once, however often we send it.
 */
import type { Instant } from '../../kit/clock.ts'

export type CallKind = 'CHARGE' | 'PAYOUT' | 'REFUND'

/** What a provider is asked to do; amounts are in cents. */
export type Asked = {
  key: string
  /** The charge, the withdrawal or the part of a refund. */
  subjectId: string
  /** The campaign of a charge, the tester of a payout, the payment of a refund. */
  of: string
  amountCents: number
  /** The payment method in the words of its owner. */
  counterparty: string
  /** When the subject was recorded. */
  begunAt: Instant
  /** When it was first sent under this key. */
  sentAt: Instant
  /**
   * It predates a restore, so it may have been carried out already, under this key or under that of an attempt that we do not
   * know of.
   */
  mayBeMade: boolean
  /** For a refund: how much of it had been paid before the data was restored. */
  earlierCents: number
}

/**
 * `DONE`: the money has moved; `feeCents` is what the provider kept of it. `REFUSED`: it will never move under this key; the
 * reason is a sentence. `EXPIRED`: a charge that nobody paid in time. `PENDING`: accepted; the result comes with an event, or
 * when we ask again under the same key; `isCollecting`: the developer has done their part on the page, and cannot pay there
 * again. `LATER`: a payout that is refused for now; we retry it under another key, and the tester's money stays on its way.
 * Anything else is an exception: then nobody knows what happened.
 */
export type Answer =
  | { outcome: 'DONE'; reference: string; feeCents?: number }
  | { outcome: 'REFUSED'; reason: string }
  | { outcome: 'EXPIRED' }
  | { outcome: 'PENDING'; reference?: string; checkoutUrl?: string; isCollecting?: true }
  | { outcome: 'LATER'; reason: string }

export type Paid = Extract<Answer, { outcome: 'DONE' }>

/**
 * Something that moved the provider's balance. `id` is our subject's id. For disputes, for fees of the provider's own services and
 * for anything that names none of our subjects, it is the provider's id; for what another installation moved on the same account,
 * it is that installation's id.
 */
export type ProviderMovement = {
  kind: CallKind | 'DISPUTE' | 'FEE' | 'OTHER' | 'ELSEWHERE'
  id: string
  /** The provider's id for it. */
  reference: string
  /** How it changes the balance, after the provider's fee. */
  cents: number
  /** Only from a provider with fees. */
  movedAt?: Instant | undefined
}

export type PaymentProvider = {
  name: string
  /** Throws UNAVAILABLE if the provider cannot be asked at all right now, so that nothing is begun. */
  assertReady: () => Promise<void>
  /** The smallest payment that the provider accepts. */
  leastChargeCents?: number
  charge: (asked: Asked) => Promise<Answer>
  payOut: (asked: Asked) => Promise<Answer>
  refund: (asked: Asked) => Promise<Answer>
  /**
   * Finds out what became of something whose key the provider may have forgotten, whichever attempt made it. Throws if that is not
   * clear; `NOT_MADE` is certain.
   */
  lookUp: (kind: CallKind, asked: Asked) => Promise<Answer | 'NOT_MADE'>
  /**
   * Closes the page on which a charge can be paid, if there is one. Anything paid by then becomes the charge's answer. Unless
   * `maySend`, the provider may have forgotten the key.
   */
  endCharge?: (asked: Asked, key: { maySend: boolean }) => Promise<void>
  /**
   * The provider forgets keys after a while. So a restored copy first looks up what it wants done, since the original's key may be
   * gone.
   */
  forgetsKeys?: true
  /** What the provider holds for us, in cents. */
  balanceCents: () => Promise<number>
  /** Everything that moved the balance; slow. The sandbox has none, because its own file is compared instead. */
  movements?: () => AsyncIterable<ProviderMovement>
  /**
   * The part of the balance that belongs to charges from before a restore: the database does not know them, and they go back by
   * themselves. Slow.
   */
  unclaimedCents?: () => Promise<number>
  /** How many seconds a job waits before it carries out a request. */
  delaySeconds: number
  /** After how many seconds we ask again about something pending. */
  pollSeconds: number
}
