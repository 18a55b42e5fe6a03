/** What a test in the tester's list pays, and when. */
import type { CampaignTester } from '../../participations/contract.ts'

type Test = Pick<CampaignTester, 'status' | 'payoutAmountCents' | 'closedAt'> & {
  campaign: Pick<CampaignTester['campaign'], 'payPerTesterCents'>
}

/** A place on the bench has no pay of its own yet. */
export const payOf = ({ status, payoutAmountCents, campaign }: Test) =>
  status === 'WAITLISTED' ? campaign.payPerTesterCents : payoutAmountCents

export const payWords = ({ closedAt, status }: Test) => {
  if (status === 'WAITLISTED') return 'if you get a seat'
  if (closedAt !== null) return 'earned'
  return status === 'REJECTED' || status === 'APPEALED' ? 'held' : 'once verified'
}
