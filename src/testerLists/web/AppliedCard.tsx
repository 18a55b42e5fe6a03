import type { Campaign } from '../../campaigns/contract.ts'
import { listPlaceOf } from '../../campaigns/listPlace.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import { staysAfterEndDays } from '../../participations/terms.ts'
import type { TesterList } from '../contract.ts'
import { AppliedButton } from './AppliedButton.tsx'

/** Until the owner applies, verified testers are asked to stay opted in, and belong on the list. */
export const AppliedCard = ({
  campaign,
  list: { appliedAt, accessMode },
}: {
  campaign: Campaign
  list: TesterList
}) => (
  <Card title="Production access">
    {appliedAt ? (
      <p className="max-w-prose">
        You applied <DateTime at={appliedAt} />. Verified testers were told that they may opt out, and no longer belong{' '}
        {listPlaceOf(accessMode).inside}.
      </p>
    ) : (
      <div className="grid justify-items-start gap-3">
        <p className="max-w-prose">
          Verified testers stay {listPlaceOf(accessMode).inside}, and are asked to stay opted in, until you have applied
          for production access in Play Console, or {staysAfterEndDays} days after this campaign’s end. Tell us when you
          have applied.
        </p>
        <AppliedButton campaign={campaign} variant="outline" />
      </div>
    )}
  </Card>
)
