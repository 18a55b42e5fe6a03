/** The values of the campaign form: blank, or from a campaign. */
import type { z } from 'zod'
import { useSchemaForm } from '../../kit/web/ui/Form.tsx'
import type { Campaign, NewCampaign } from '../contract.ts'
import { campaignDefaults } from '../terms.ts'
import type { BasisPoints } from '../../kit/money.ts'
import { mayCost, type Quote, quote } from '../quote.ts'

/** The values as the fields hold them: a missing text is ''. */
export type CampaignValues = Omit<Required<z.input<typeof NewCampaign>>, 'filters'> & {
  filters: { countries: string[]; minAndroidVersion: string; minIOSVersion: string }
}

export const blankValues: CampaignValues = {
  title: '',
  description: '',
  distributionLink: '',
  platform: 'android',
  ...campaignDefaults,
  filters: { countries: [], minAndroidVersion: '', minIOSVersion: '' },
  dailyCheckIn: true,
  accessMode: 'OPEN_LINK',
  groupLink: null,
  features: [],
}

export const valuesOf = (campaign: Campaign): CampaignValues => ({
  title: campaign.title,
  description: campaign.description,
  distributionLink: campaign.pendingLink ?? campaign.distributionLink ?? '',
  platform: campaign.platform,
  testersRequired: campaign.testersRequired,
  payPerTesterCents: campaign.payPerTesterCents,
  durationDays: campaign.durationDays,
  filters: {
    countries: campaign.filters.countries,
    minAndroidVersion: campaign.filters.minAndroidVersion ?? '',
    minIOSVersion: campaign.filters.minIOSVersion ?? '',
  },
  dailyCheckIn: campaign.dailyCheckIn,
  accessMode: campaign.accessMode,
  groupLink: campaign.pendingGroupLink ?? campaign.groupLink,
  features: campaign.features,
})

const schema = async () => (await import('./campaignSchema.ts')).FilledCampaign

export const useCampaignForm = (values: CampaignValues) => useSchemaForm(schema, values)
export type CampaignFormState = ReturnType<typeof useCampaignForm>

export type Priced = Partial<Pick<CampaignValues, 'testersRequired' | 'payPerTesterCents'>>

/** The cost of the form's figures; null for figures that the form would refuse. */
export const quoteOf = ({ testersRequired, payPerTesterCents }: Priced, fee: BasisPoints): Quote | null => {
  if (testersRequired === undefined || payPerTesterCents === undefined) return null
  return mayCost(testersRequired, payPerTesterCents) ? quote(testersRequired, payPerTesterCents, fee) : null
}
