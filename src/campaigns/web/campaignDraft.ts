/** The campaign that somebody began to write: kept in this browser, for each user, until it is created. */
import { readStored } from '../../kit/web/stored.ts'
import { platforms } from '../terms.ts'
import { type CampaignValues, blankValues } from './campaignValues.ts'
import { sameValues } from './sameValues.ts'

const keyOf = (userId: string) => `campaignDraft:${userId}`

/** What was stored, as far as it is still of the right kind; whether it is a good campaign is the form's business. */
export const readDraft = (userId: string): CampaignValues | null => {
  const kept = readStored(keyOf(userId), blankValues)
  return kept && { ...kept, platform: platforms.find(platform => platform === kept.platform) ?? blankValues.platform }
}

export const keepDraft = (userId: string, values: unknown) => {
  try {
    if (sameValues(values, blankValues)) localStorage.removeItem(keyOf(userId))
    else localStorage.setItem(keyOf(userId), JSON.stringify(values))
  } catch {
    // A full or forbidden storage: the form works without.
  }
}

export const forgetDraft = (userId: string) => keepDraft(userId, blankValues)
