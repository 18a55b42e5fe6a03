/** The campaign that somebody began to write: kept in this browser, for each user, until it is created. */
import { z } from 'zod'
import { type CampaignValues, blankValues, sameValues } from './campaignValues.ts'
import { Platform } from '../contract.ts'

const keyOf = (userId: string) => `campaignDraft:${userId}`

/** What was stored, as far as it is still of the right kind; whether it is a good campaign is the form's business. */
const Draft = z.object({
  title: z.string().catch(''),
  description: z.string().catch(''),
  distributionLink: z.string().catch(''),
  platform: Platform.catch('android'),
  // A number field that held none was stored as null.
  testersRequired: z.number().catch(blankValues.testersRequired),
  payPerTesterCents: z.number().catch(blankValues.payPerTesterCents),
  durationDays: z.number().catch(blankValues.durationDays),
  filters: z
    .object({
      countries: z.array(z.string()).catch([]),
      minAndroidVersion: z.string().catch(''),
      minIOSVersion: z.string().catch(''),
    })
    .catch(blankValues.filters),
  dailyCheckIn: z.boolean().catch(true),
})

export const readDraft = (userId: string): CampaignValues | null => {
  try {
    const stored = localStorage.getItem(keyOf(userId))
    return stored === null ? null : Draft.parse(JSON.parse(stored))
  } catch {
    return null
  }
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
