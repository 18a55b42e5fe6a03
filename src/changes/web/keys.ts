const all = ['changes'] as const

export const changeKeys = {
  all,
  ofCampaign: (campaignId: string) => [...all, 'of-campaign', campaignId],
}
