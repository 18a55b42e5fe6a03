const all = ['tester-lists'] as const

export const testerListKeys = {
  all,
  one: (campaignId: string) => [...all, 'one', campaignId],
}
