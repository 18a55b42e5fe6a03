import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { CampaignTerms } from './CampaignTerms.tsx'
import { useCampaign } from './calls.ts'

/** The terms of a campaign, loaded by its id. */
export const TermsOf = ({ campaignId }: { campaignId: string }) => (
  <Query
    of={useCampaign(campaignId)}
    loading={<Skeleton className="h-40 rounded-xl" />}
    errorTitle="Failed to load the terms"
  >
    {campaign => <CampaignTerms campaign={campaign} />}
  </Query>
)
