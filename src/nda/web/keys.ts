const all = ['nda'] as const

export const ndaKeys = {
  all,
  ofCampaign: (campaignId: string) => [...all, 'of-campaign', campaignId],
  version: (campaignId: string, version: number) => [...all, 'version', campaignId, version],
  acceptances: (campaignId: string) => [...all, 'acceptances', campaignId],
}
