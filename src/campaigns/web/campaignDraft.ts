/** The unfinished new campaign, kept in this browser for each user until it is created. */
import { draftKey } from '../../kit/web/drafts.ts'
import { dropStored, keepStored, readStored } from '../../kit/web/stored.ts'
import { type ChosenFigures, figuresKey } from '../chosenFigures.ts'
import { mayCost } from '../quote.ts'
import { accessModes, platforms } from '../terms.ts'
import { type CampaignValues, blankValues } from './campaignValues.ts'
import { sameValues } from './sameValues.ts'

const keyOf = (userId: string) => draftKey('campaignDraft', null, userId)

/** Null if nothing was chosen, or nothing that a campaign may have. */
const readFigures = (): ChosenFigures | null => {
  const kept = readStored<ChosenFigures>(figuresKey, { testersRequired: 0, payPerTesterCents: 0 })
  return kept && mayCost(kept.testersRequired, kept.payPerTesterCents) ? kept : null
}

/** What a new campaign starts with if there is no draft. */
export const startValues = (): CampaignValues => ({ ...blankValues, ...readFigures() })

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
  if (sameValues(values, startValues())) dropStored(keyOf(userId))
  else keepStored(keyOf(userId), values)
}

/** A new campaign then starts blank. */
export const forgetDraft = (userId: string) => {
  dropStored(keyOf(userId))
  dropStored(figuresKey)
}
