import { formatCents } from '../../app/money.ts'
import { Card } from '../../app/web/ui/Card.tsx'
import { Money } from '../../app/web/ui/Values.tsx'
import { JoinCampaignButton } from '../../participations/web/face.tsx'
import { dropHours, reviewHours } from '../../participations/rules.ts'
import type { Campaign } from '../contract.ts'
import { counted } from './words.ts'

/** For a tester: what one earns and what for, and the way in. */
export const EarnCard = ({ campaign }: { campaign: Campaign }) => {
  const { payPerTesterCents, durationDays, dailyCheckIn, participation, status } = campaign
  return (
    <Card>
      <p className="text-muted-foreground">{participation ? 'You are in this test, and it pays' : 'You earn'}</p>
      <p className="text-2xl font-semibold tracking-tight">
        <Money cents={payPerTesterCents} />
      </p>
      <ol className="mt-3 mb-4 grid list-decimal gap-1.5 pl-5 marker:text-muted-foreground">
        <li>Join with a device that fits the terms.</li>
        <li>
          Use the app for {counted(durationDays, 'day')}
          {dailyCheckIn ? ` and check in each day: after ${dropHours} hours without one the seat is gone.` : '.'}
        </li>
        <li>
          Hand in your proof. {formatCents(payPerTesterCents)} is yours when it is accepted, or after {reviewHours}{' '}
          hours without an answer.
        </li>
      </ol>
      <JoinCampaignButton campaign={campaign} />
      {!participation && status === 'PAUSED' && <p className="text-muted-foreground">It takes no new testers now.</p>}
    </Card>
  )
}
