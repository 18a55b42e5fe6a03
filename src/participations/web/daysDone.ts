import { api } from './calls.ts'

/** The number of check-ins of each active tester of a campaign. */
export const daysDone = async (campaignId: string, signal: AbortSignal): Promise<number[]> => {
  const { items } = await api.ofCampaign({ params: { id: campaignId }, query: { status: 'ACTIVE' }, signal })
  return items.map(tester => tester.checkIns.length)
}
