/** What other slices' screens may use of campaigns. */
export { CampaignBadge } from './CampaignBadge.tsx'
