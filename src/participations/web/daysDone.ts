import { clock, type Instant } from '../../kit/clock.ts'
import type { CampaignTester } from '../contract.ts'
import { hasTesterList } from '../../campaigns/rules.ts'
import { checkInsThatCount, counts, daysDone } from '../rules.ts'
import { api } from './calls.ts'

type Tested = Pick<CampaignTester, 'checkIns' | 'begunAt' | 'runs' | 'waiting' | 'campaign'>

/** The days that a tester is paid for if the campaign is cancelled at that time; one day after a week of waiting to be listed. */
export const daysPaidFor = ({ checkIns, begunAt, runs, waiting, campaign }: Tested, cancelledAt: Instant): number => {
  if (waiting) return waiting.mayLeaveAt <= cancelledAt ? 1 : 0
  const { accessMode, dailyCheckIn, durationDays } = campaign
  const begun = begunAt === null ? [] : [{ startedAt: begunAt, endedAt: null }]
  const spans = hasTesterList(accessMode) ? runs.filter(counts) : begun
  const days = checkInsThatCount(checkIns).length
  return daysDone({ dailyCheckIn, checkIns: days, spans, durationDays }, cancelledAt)
}

/** The paid days of each active tester of a campaign, if it were cancelled now. */
export const daysOfActiveTesters = async (campaignId: string, signal: AbortSignal): Promise<number[]> => {
  const { items } = await api.ofCampaign({ params: { id: campaignId }, query: { status: 'ACTIVE' }, signal })
  return items.map(tester => daysPaidFor(tester, clock.now()))
}
