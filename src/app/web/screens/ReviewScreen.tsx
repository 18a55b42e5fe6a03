import { useParams } from 'react-router'
import { CampaignLoaded } from '../../../campaigns/web/CampaignLoaded.tsx'
import { ReviewDesk } from '../../../participations/web/ReviewDesk.tsx'

export const ReviewScreen = () => (
  <CampaignLoaded id={useParams().id ?? ''}>{campaign => <ReviewDesk campaign={campaign} />}</CampaignLoaded>
)
