/** What a provider says it has done, for comparison with what a restored copy knows: the sandbox's file, or Stripe's lists. */
import type { Movement, Movements } from './movements.ts'

/** Stands for a person who is not known here. */
export const nobody = '00000000-0000-0000-0000-000000000000'

/** A movement, with more details if it comes from Stripe. */
export type Done = Movement & {
  /** The movement was made, and came back whole since. */
  isReturned?: true
  /** Stripe's id for the payment of a charge. */
  reference?: string | undefined
  /** The fee that Stripe kept of a charge; undefined until Stripe reports it. */
  feeCents?: number | undefined
  /** The account that a payout went to. */
  account?: string | undefined
}

export type History = {
  provider: 'sandbox' | 'stripe'
  /** The path of the file, or another place where the movements were found. */
  path: string
  all: () => Promise<ReadonlyMap<string, Done>>
  /** What has gone back of a charge: by refunds, and because nobody here knew of it. */
  givenBack: (chargeId: string) => Promise<number>
  /** The user of a payout account, according to the provider. */
  ownerOf?: (accountId: string) => Promise<string | undefined>
  /** Only in the sandbox's file: the database that the file belongs to. */
  id?: string
}

export const fileHistory = (movements: Movements): History => ({ ...movements, provider: 'sandbox' })
