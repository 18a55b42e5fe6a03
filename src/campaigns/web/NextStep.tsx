/** What a campaign needs next from who looks at it, in words and with the button for it. */
import type { ReactNode } from 'react'
import { formatCents } from '../../kit/money.ts'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { Campaign, CampaignAction, CampaignStatus } from '../contract.ts'
import { actionLabel } from './actionLabels.ts'
import { counted } from '../../kit/words.ts'

type Step = { title: string; text: ReactNode }

const payOrSubmit = ({ outstandingCents }: Campaign): Step =>
  outstandingCents > 0
    ? {
        title: `Pay ${formatCents(outstandingCents)} to send it for approval`,
        text: 'The money is held for this campaign. Testers are paid from it test by test, and what is not used comes back to you.',
      }
    : { title: 'Submit it for approval', text: 'It is paid in full. We look at every campaign before testers see it.' }

const seats = ({ testersRequired, _count: { campaignTesters } }: Campaign) => {
  const free = testersRequired - campaignTesters
  return free === 0 ? 'All seats are taken.' : `${counted(free, 'seat')} free of ${testersRequired}.`
}

const openForTesters = (campaign: Campaign): Step => ({
  title: 'Open for testers',
  text: `${seats(campaign)} Testers see it among the available campaigns and appear under Testers as they join.`,
})

const atWork = (campaign: Campaign): Step => ({
  title: 'Testers are at work',
  text: `${seats(campaign)} Review the proofs they hand in: after ${campaign.reviewHours} hours without an answer a proof counts as verified.`,
})

const ownerSteps: Record<CampaignStatus, (campaign: Campaign) => Step> = {
  DRAFT: payOrSubmit,
  PENDING_APPROVAL: () => ({
    title: 'We are looking at it',
    text: 'You get an email when it is approved, or when something has to change.',
  }),
  APPROVED: ({ durationDays }) => ({
    title: 'Approved: start it when you are ready',
    text: `Testers can join from that moment on. It runs for ${counted(durationDays, 'day')}.`,
  }),
  REJECTED: campaign => ({
    title: 'It was sent back',
    text:
      campaign.outstandingCents > 0
        ? `Edit it, then pay ${formatCents(campaign.outstandingCents)} to send it for approval once more.`
        : 'Edit it, then submit it for approval once more. What you paid stays in the campaign.',
  }),
  LIVE: campaign => (campaign._count.campaignTesters === 0 ? openForTesters : atWork)(campaign),
  PAUSED: () => ({
    title: 'Paused: nobody new can join',
    text: 'Testers inside go on, and their proofs still need your review. Resume it when you want more testers.',
  }),
  COMPLETED: ({ testersRequired, totalCostCents, fundedCents, feeCents, _count: { verified } }) => ({
    title: 'Completed',
    text:
      `${verified} of ${counted(testersRequired, 'test')} verified and paid.` +
      (fundedCents + feeCents < totalCostCents ? ' What was not used came back to you.' : ''),
  }),
  CANCELLED: campaign => ({
    title: 'Cancelled',
    text:
      campaign._count.campaignTesters > campaign._count.verified
        ? 'Proofs that were handed in before still need your review. The rest of the money came back to you.'
        : 'What was paid and not used came back to you.',
  }),
}

const adminStep: Step = {
  title: 'It waits for your decision',
  text: 'Check that the link leads to an app, and that the description says what testers should do.',
}

/** Only what leads on stands here as a button; the rest is in the header. */
const leadingOn: readonly CampaignAction[] = ['fund', 'submit', 'start', 'approve', 'reject']

type Props = { campaign: Campaign; onAsk: (action: CampaignAction) => void }

export const NextStep = ({ campaign, onAsk }: Props) => {
  const { status, rejectionReason, endDate } = campaign
  const isAdmin = useUser().role === 'ADMIN'
  const step = isAdmin ? status === 'PENDING_APPROVAL' && adminStep : ownerSteps[status](campaign)
  if (!step && !rejectionReason) return null
  return (
    <section
      aria-label="Next step"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border bg-accent px-5 py-4 lg:col-span-2"
    >
      <div className="min-w-0 flex-1 basis-72">
        {step && <h2 className="text-base font-semibold">{step.title}</h2>}
        {rejectionReason && <Rejection reason={rejectionReason} />}
        {step && <p className="max-w-prose">{step.text}</p>}
        {step && status === 'LIVE' && endDate && (
          <p className="text-muted-foreground">
            It ends on <DateTime at={endDate} />.
          </p>
        )}
      </div>
      <Buttons campaign={campaign} onAsk={onAsk} />
    </section>
  )
}

const Buttons = ({ campaign, onAsk }: Props) => {
  // What was sent back wants an edit first.
  const editFirst = campaign.status === 'REJECTED' && campaign.actions.includes('update')
  return (
    <div className="flex flex-wrap gap-2">
      {editFirst && <ButtonLink to={paths.campaignEdit(campaign.id)}>Edit</ButtonLink>}
      {leadingOn
        .filter(action => campaign.actions.includes(action))
        .map(action => (
          <Button
            key={action}
            variant={editFirst || action === 'reject' ? 'outline' : 'primary'}
            onClick={() => onAsk(action)}
          >
            {actionLabel(action, campaign)}
          </Button>
        ))}
    </div>
  )
}

const Rejection = ({ reason }: { reason: string }) => (
  <figure className="my-3 max-w-prose border-l-2 border-destructive pl-3">
    <figcaption className="font-medium text-destructive">Why it was rejected</figcaption>
    <blockquote className="whitespace-pre-line wrap-anywhere">{reason}</blockquote>
  </figure>
)
