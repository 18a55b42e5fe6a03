import { CampaignsPage } from '../../../campaigns/web/CampaignsPage.tsx'
import type { Campaign } from '../../../campaigns/contract.ts'
import { JoinCampaignButton } from '../../../participations/web/JoinCampaignButton.tsx'

const join = (campaign: Campaign) => <JoinCampaignButton campaign={campaign} />

export const CampaignsScreen = () => <CampaignsPage join={join} />
