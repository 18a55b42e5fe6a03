/**
 * Verifications that the server has not answered, in local storage: each under a key of its own, so that two tabs do not
 * overwrite each other's. No other code of the review, so that the layout can look here without loading it.
 */
import { dropStored, keepStored, readStored } from '../../kit/web/stored.ts'

export type Verification = {
  /** Its idempotency key: sent twice, it takes effect once. */
  key: string
  reviewerId: string
  campaignId: string
  ids: string[]
  aliases: string[]
  /** In milliseconds of this browser's clock. */
  decidedAt: number
  /** Its page was left: another one may send it at once. */
  left: boolean
}

const prefix = 'verifying:'

const model: Verification = {
  key: '',
  reviewerId: '',
  campaignId: '',
  ids: [],
  aliases: [],
  decidedAt: 0,
  left: false,
}

/** What cannot be kept is still sent from memory. */
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
