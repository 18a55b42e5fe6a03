/** What a provider says that it has done, to be compared with what a restored copy knows: the sandbox’s file, or Stripe’s lists. */
import type { Movement, Movements } from './movements.ts'

/** Whoever is not known here. */
export const nobody = '00000000-0000-0000-0000-000000000000'

/** Of Stripe more is known. */
export type Done = Movement & {
  /** It was made, and came back whole since. */
  isReturned?: true
  /** What Stripe calls the payment of a charge. */
  reference?: string | undefined
  /** What Stripe kept of a charge; undefined until it says so. */
  feeCents?: number | undefined
  /** Whom a payout went to. */
  account?: string | undefined
}

export type History = {
  provider: 'sandbox' | 'stripe'
  /** The file, or where else it was found. */
  path: string
  all: () => Promise<ReadonlyMap<string, Done>>
  /** Of a charge, by refunds and because nobody knew of it. */
  givenBack: (chargeId: string) => Promise<number>
  /** The user of a payout account, as the provider knows it. */
  ownerOf?: (accountId: string) => Promise<string | undefined>
  /** Of the sandbox's file: which database it belongs to. */
  id?: string
}

export const fileHistory = (movements: Movements): History => ({ ...movements, provider: 'sandbox' })
