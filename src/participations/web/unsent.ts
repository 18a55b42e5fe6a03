/**
 * Verifications that the server has not answered yet, kept in local storage under a key each, so that two tabs do not overwrite
 * each other's. Separate from the rest of the review's code, so that the layout can check here without loading it.
 */
import { dropStored, keepStored, readStored } from '../../kit/web/stored.ts'

export type Verification = {
  /** Its idempotency key: sent twice, it takes effect once. */
  key: string
  reviewerId: string
  campaignId: string
  ids: string[]
  aliases: string[]
  /** Which proofs were read, in the order of `ids`; empty if an earlier version of the page decided. */
  proofsSubmittedAt: string[]
  /** In milliseconds of this browser's clock. */
  decidedAt: number
  /** The page that decided it was left, so another page may send it at once. */
  left: boolean
}

const prefix = 'verifying:'

const model: Verification = {
  key: '',
  reviewerId: '',
  campaignId: '',
  ids: [],
  aliases: [],
  proofsSubmittedAt: [],
  decidedAt: 0,
  left: false,
}

/** If storage fails, the verification is still sent from memory. */
export const keep = (verification: Verification): void => keepStored(prefix + verification.key, verification)

export const forget = ({ key }: Verification): void => dropStored(prefix + key)

export const unsentOf = (reviewerId: string | undefined): Verification[] => {
  try {
    return Object.keys(localStorage)
      .filter(name => name.startsWith(prefix))
      .map(name => readStored(name, model))
      .filter(kept => kept !== null)
      .filter(kept => kept.reviewerId === reviewerId && kept.key !== '' && kept.ids.length > 0)
  } catch {
    return []
  }
}
