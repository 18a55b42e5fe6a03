const all = ['reputation'] as const

export const reputationKeys = {
  all,
  testers: (campaignId: string) => [...all, 'testers', campaignId],
  developers: (ids: readonly string[]) => [...all, 'developers', ...ids],
  own: [...all, 'own'],
}
