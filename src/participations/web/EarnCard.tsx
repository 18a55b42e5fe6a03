import { formatCents } from '../../kit/money.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { openStatuses } from '../situation.ts'
import { DeveloperFigures } from '../../reputation/web/face.tsx'
import { JoinCampaignButton } from './JoinCampaignButton.tsx'
import type { Campaign } from '../../campaigns/contract.ts'
import { hasTesterList } from '../../campaigns/rules.ts'
import { counted } from '../../kit/words.ts'

/** For a tester: the pay, the steps, and the join button. */
export const EarnCard = ({ campaign }: { campaign: Campaign }) => {
  const { participation, payPerTesterCents } = campaign
  const isOver = participation !== null && !openStatuses.some(open => open === participation.status)
  return (
    <Card>
      {isOver && participation.status !== 'VERIFIED' ? (
        <p className="mb-4">
          {overWords[participation.status] ?? 'You are no longer in this test. See My Tests for how it ended.'}
        </p>
      ) : (
        <div className="mb-4">
          <p className="text-muted-foreground">{lead(participation?.status)}</p>
          <p className="text-2xl font-semibold tracking-tight">
            <Money cents={payPerTesterCents} />
          </p>
        </div>
      )}
      {!isOver && <Steps campaign={campaign} />}
      {!participation && (
        <section className="mb-4">
          <h2 className="mb-1 font-semibold wrap-anywhere">How {campaign.developer.name} reviews</h2>
          <DeveloperFigures developerId={campaign.developer.id} />
        </section>
      )}
      <div className="flex flex-wrap gap-2">
        <JoinCampaignButton campaign={campaign} />
      </div>
    </Card>
  )
}

const rejected = 'Your proof was rejected. See My Tests for why, and for the appeal.'
const overWords: Record<string, string> = {
  WAITLISTED: 'You are in line for a seat. See My Tests for your place.',
  REJECTED: rejected,
  APPEALED: rejected,
}

const lead = (participation: string | undefined) => {
  if (participation === undefined) return 'You earn'
  return participation === 'VERIFIED' ? 'You earned' : 'You are in this test. You will earn'
}

const Steps = ({ campaign }: { campaign: Campaign }) => {
  const {
    accessMode,
    payPerTesterCents,
    durationDays,
    dailyCheckIn,
    participation,
    dropHours,
    reviewHours,
    feedbackQuestions,
  } = campaign
  const listed = hasTesterList(accessMode)
  return (
    <ol className="mb-4 grid list-decimal gap-1.5 pl-5 marker:text-muted-foreground">
      {!participation && <li>Join with a device that meets the requirements{listed ? '.' : ' and get the app.'}</li>}
      {!participation && listed && (
        <li>Once the developer has added your Google account, opt in on Google Play. Your days begin then.</li>
      )}
      <li>
        Use the app for {counted(durationDays, 'day')}
        {dailyCheckIn
          ? ` and check in every day. After ${dropHours} hours without a check-in, you lose your seat.`
          : '.'}
      </li>
      <li>
        Submit your proof
        {feedbackQuestions > 0 && ` and answer the feedback form, ${counted(feedbackQuestions, 'question')}`}. You are
        paid {formatCents(payPerTesterCents)} when it is verified, or automatically after {counted(reviewHours, 'hour')}{' '}
        without a decision.
      </li>
    </ol>
  )
}
