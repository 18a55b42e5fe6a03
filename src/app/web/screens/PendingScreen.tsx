import { PendingCampaignsPage } from '../../../campaigns/web/PendingCampaignsPage.tsx'
import { DisputeQueue } from '../../../ledger/web/DisputeQueue.tsx'
import { PayoutQueue } from '../../../ledger/web/PayoutQueue.tsx'
import { StuckRefundQueue } from '../../../ledger/web/StuckRefundQueue.tsx'
import { AppealQueue } from '../../../participations/web/AppealQueue.tsx'
import { ContestedOptIns } from '../../../participations/web/ContestedOptIns.tsx'
import { RejectionQueue } from '../../../participations/web/RejectionQueue.tsx'

export const PendingScreen = () => (
  <PendingCampaignsPage
    optIns={<ContestedOptIns />}
    appeals={<AppealQueue />}
    rejections={<RejectionQueue />}
    disputes={<DisputeQueue />}
    payouts={<PayoutQueue />}
    refunds={<StuckRefundQueue />}
  />
)
