import { DisputeNotice } from './DisputeNotice.tsx'
import { useCampaign } from './calls.ts'

/** The notice about a campaign's dispute, loaded by the campaign's id; renders nothing without a dispute. */
export const DisputeOf = ({ campaignId }: { campaignId: string }) => {
  const campaign = useCampaign(campaignId).data
  return campaign ? <DisputeNotice of={campaign} /> : null
}
