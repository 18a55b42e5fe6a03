import type { Cents } from '../../kit/money.ts'
import type { Campaign } from '../../campaigns/contract.ts'
import type { CampaignTester } from '../contract.ts'

type Roster = { pages: { items: CampaignTester[]; nextCursor: string | null }[] } | undefined

/**
 * The testers' pay still in escrow. A cancelled campaign paid some testers for their days, so its whole roster is
 * needed; null while it is not loaded.
 */
export const escrowLeft = (campaign: Campaign, roster: Roster): Cents | null => {
  if (campaign.status !== 'CANCELLED')
    return campaign.fundedCents - campaign._count.verified * campaign.payPerTesterCents
  if (!roster || roster.pages.at(-1)?.nextCursor != null) return null
  return roster.pages
    .flatMap(({ items }) => items)
    .filter(({ status }) => status === 'VERIFIED' || status === 'CANCELLED')
    .reduce((left, { payoutAmountCents }) => left - payoutAmountCents, campaign.fundedCents)
}
