const all = ['activity'] as const

export const activityKeys = {
  all,
  ofCampaign: (id: string) => [...all, 'of-campaign', id],
  ofParticipation: (id: string) => [...all, 'of-participation', id],
}
