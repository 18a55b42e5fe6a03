import type { Instant } from '../../kit/clock.ts'
import type { CampaignTester } from '../contract.ts'

type Leaver = Pick<CampaignTester, 'nda' | 'waiting'>

export const waitedLong = ({ waiting }: Leaver, now: Instant): boolean => waiting !== null && now >= waiting.mayLeaveAt

/** What leaving pays: a day for a week of waiting for the tester list, or what refusing a changed NDA does. */
export const leavingPay = (test: Leaver, now: Instant): number =>
  (waitedLong(test, now) ? test.waiting?.payCents : test.nda?.refusalPayCents) ?? 0
