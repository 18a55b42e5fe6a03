import { api } from './calls.ts'

/** The days checked in by each tester of a campaign who is still testing. */
export const daysDone = async (campaignId: string, signal: AbortSignal): Promise<number[]> => {
  const { items } = await api.ofCampaign({ params: { id: campaignId }, query: { status: 'ACTIVE' }, signal })
  return items.map(tester => tester.checkIns.length)
}
