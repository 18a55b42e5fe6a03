import { clock, type Instant } from '../../kit/clock.ts'
import type { CampaignTester } from '../contract.ts'
import { daysDone } from '../rules.ts'
import { api } from './calls.ts'

/** The days that a tester is paid for when the campaign is cancelled at that time. */
export const daysPaidFor = (
  {
    checkIns,
    joinedAt,
    campaign: { dailyCheckIn, durationDays },
  }: Pick<CampaignTester, 'checkIns' | 'joinedAt' | 'campaign'>,
  cancelledAt: Instant,
): number => daysDone({ dailyCheckIn, checkIns: checkIns.length, joinedAt, durationDays }, cancelledAt)

/** Those of each active tester of a campaign, if it were cancelled now. */
export const daysOfActiveTesters = async (campaignId: string, signal: AbortSignal): Promise<number[]> => {
  const { items } = await api.ofCampaign({ params: { id: campaignId }, query: { status: 'ACTIVE' }, signal })
  return items.map(tester => daysPaidFor(tester, clock.now()))
}
