const all = ['continuity'] as const

export const continuityKeys = {
  all,
  ofCampaign: (campaignId: string) => [...all, 'of-campaign', campaignId],
}
