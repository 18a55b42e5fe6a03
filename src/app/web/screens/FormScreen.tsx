import { useParams } from 'react-router'
import { CampaignLoaded } from '../../../campaigns/web/CampaignLoaded.tsx'
import { FormPage } from '../../../feedback/web/FormPage.tsx'

export const FormScreen = () => (
  <CampaignLoaded id={useParams().id ?? ''}>{campaign => <FormPage campaign={campaign} />}</CampaignLoaded>
)
