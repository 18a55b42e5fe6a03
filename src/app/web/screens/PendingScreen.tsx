import { PendingCampaignsPage } from '../../../campaigns/web/PendingCampaignsPage.tsx'
import { ContestedOptIns } from '../../../participations/web/ContestedOptIns.tsx'

export const PendingScreen = () => <PendingCampaignsPage optIns={<ContestedOptIns />} />
