import { CampaignsPage } from '../../../campaigns/web/CampaignsPage.tsx'
import type { Campaign } from '../../../campaigns/contract.ts'
import { DialogPlace } from '../../../kit/web/ui/DialogPlace.tsx'
import { FitNote } from '../../../participations/web/FitNote.tsx'
import { JoinCampaignButton } from '../../../participations/web/JoinCampaignButton.tsx'
import { DeveloperLine } from '../../../reputation/web/face.tsx'

const join = (campaign: Campaign, compact = false) => <JoinCampaignButton campaign={campaign} compact={compact} />
const fit = (campaign: Campaign) => <FitNote campaign={campaign} />
const record = ({ developer }: Campaign, among: readonly Campaign[]) => (
  <DeveloperLine developerId={developer.id} among={among.map(each => each.developer.id)} />
)

export const CampaignsScreen = () => (
  <DialogPlace>
    <CampaignsPage join={join} fit={fit} record={record} />
  </DialogPlace>
)
