/** What other slices' screens may use of campaigns. */
export { BackLink } from './BackLink.tsx'
export { CampaignBadge } from './CampaignBadge.tsx'
export { CampaignTerms } from './CampaignTerms.tsx'
export { LinkLine } from './LinkLine.tsx'
export { TestActivity } from './TestActivity.tsx'
export { useCampaign } from './campaignCache.ts'
