const all = ['reports'] as const

export const reportKeys = {
  all,
  ofCampaign: (campaignId: string) => [...all, 'of-campaign', campaignId],
}
