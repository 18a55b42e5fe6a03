import { DisputeNotice } from './DisputeNotice.tsx'
import { useCampaign } from './calls.ts'

/** The notice about the dispute of a campaign, loaded by its id; nothing where there is none. */
export const DisputeOf = ({ campaignId }: { campaignId: string }) => {
  const campaign = useCampaign(campaignId).data
  return campaign ? <DisputeNotice of={campaign} /> : null
}
