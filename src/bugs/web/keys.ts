const all = ['bugs'] as const

type Filters = { status: string | null; severity: string | null; search: string }

export const bugKeys = {
  all,
  one: (id: string) => [...all, 'one', id],
  ofCampaign: (campaignId: string, filters: Filters | null) => [...all, 'of-campaign', campaignId, filters],
  similar: (campaignId: string, title: string) => [...all, 'similar', campaignId, title],
  undecided: (campaignId: string) => [...all, 'undecided', campaignId],
  choices: (bugId: string, search: string) => [...all, 'choices', bugId, search],
}
