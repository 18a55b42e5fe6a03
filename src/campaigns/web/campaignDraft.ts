/** The unfinished new campaign, kept in this browser for each user until it is created. */
import { dropStored, keepStored, readStored } from '../../kit/web/stored.ts'
import { accessModes, platforms } from '../terms.ts'
import { type CampaignValues, blankValues } from './campaignValues.ts'
import { sameValues } from './sameValues.ts'

const keyOf = (userId: string) => `campaignDraft:${userId}`

/** The stored values that still have the right type; the form validates them. */
export const readDraft = (userId: string): CampaignValues | null => {
  const kept = readStored<CampaignValues>(keyOf(userId), { ...blankValues, groupLink: '' })
  return (
    kept && {
      ...kept,
      platform: platforms.find(platform => platform === kept.platform) ?? blankValues.platform,
      accessMode: accessModes.find(mode => mode === kept.accessMode) ?? blankValues.accessMode,
      // A null default gives no type to compare with.
      groupLink: kept.groupLink || null,
    }
  )
}

export const keepDraft = (userId: string, values: object) => {
  if (sameValues(values, blankValues)) dropStored(keyOf(userId))
  else keepStored(keyOf(userId), values)
}

export const forgetDraft = (userId: string) => keepDraft(userId, blankValues)
