const all = ['changes'] as const

export const changeKeys = {
  all,
  written: (campaignId: string) => [...all, 'written', campaignId],
  ofCampaign: (campaignId: string) => [...all, 'of-campaign', campaignId],
}
