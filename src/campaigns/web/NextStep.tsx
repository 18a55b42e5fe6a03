/** What the reader has to do next for the campaign, with the buttons for it. */
import type { ReactNode } from 'react'
import { formatCents } from '../../kit/money.ts'
import { useSearchParams } from 'react-router'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { DateTime } from '../../kit/web/ui/Values.tsx'
import type { WaitingPayment } from '../../ledger/contract.ts'
import type { Campaign, CampaignAction, CampaignStatus } from '../contract.ts'
import { isRunning } from '../rules.ts'
import { freeSeatsOf } from '../seats.ts'
import { actionLabel } from './actionLabels.ts'
import { goToCheckout } from './checkout.ts'
import { hasOpenTests } from './openTests.ts'
import { refundedWhileOwing } from './paymentWords.ts'
import { surplusWords } from './surplusWords.ts'
import { counted } from '../../kit/words.ts'

type Step = { title: string; text: ReactNode }

const owesFirst = (owedCents: number): Step => ({
  title: `You owe ${formatCents(owedCents)} for an earlier payment`,
  text: 'Your bank took the payment back, so you cannot pay for this campaign yet. Ask your bank to return it, or contact us to pay it another way.',
})

/** The page on which to pay. While the developer owes, whatever is paid there is refunded. */
const openCheckout = ({ payment, owedCents }: Campaign): string | null =>
  owedCents === undefined ? (payment?.checkoutUrl ?? null) : null

const payOrSubmit = ({ outstandingCents, payment, owedCents }: Campaign): Step =>
  payment && (payment.checkoutUrl === null || owedCents === undefined)
    ? paymentWaits(payment, owedCents)
    : owedCents !== undefined && outstandingCents > 0
      ? owesFirst(owedCents)
      : outstandingCents > 0
        ? {
            title: `Pay ${formatCents(outstandingCents)} to submit for approval`,
            text: 'Your money is held for this campaign. Testers are paid from it as their tests are verified, and anything unused is refunded.',
          }
        : {
            title: 'Submit for approval',
            text: 'Your campaign is paid in full. We review every campaign before testers see it.',
          }

const paymentWaits = ({ amountCents, checkoutUrl }: WaitingPayment, owedCents: number | undefined): Step =>
  checkoutUrl === null
    ? {
        title: `Your payment of ${formatCents(amountCents)} is on its way`,
        text:
          owedCents === undefined
            ? 'The campaign is submitted for approval as soon as the payment provider confirms it. You do not need to wait here. If you edit or cancel the campaign in the meantime, the money is returned.'
            : refundedWhileOwing(owedCents),
      }
    : {
        title: `Finish your payment of ${formatCents(amountCents)}`,
        text: 'Pay on the payment provider’s page. As soon as the provider confirms the payment, this page updates and the campaign is submitted for approval.',
      }

const seats = (campaign: Campaign) => {
  const { testersRequired, closedSeats } = campaign
  const open = freeSeatsOf(campaign)
  const closed = closedSeats > 0 ? `, ${closedSeats} closed` : ''
  if (open > 0) return `${open} of ${counted(testersRequired, 'seat')} open${closed}.`
  return closedSeats > 0 ? `All seats are taken or closed (${closedSeats} closed).` : 'All seats are taken.'
}

/** Shown while nobody can join, whatever its owner does. */
const closedBy = ({ since }: NonNullable<Campaign['dispute']>): Step =>
  since === null
    ? {
        title: 'No new testers can join',
        text: 'The bank took your payment back. Current testers can finish, and their proofs still need your review.',
      }
    : {
        title: 'No new testers can join',
        text: 'Your payment is disputed. Testers can join again once the bank has decided in your favor. The time lost until then is added to the campaign.',
      }

const openForTesters = (campaign: Campaign): Step => ({
  title: 'Open for testers',
  text: `${seats(campaign)} Testers can find your campaign under Available Campaigns. They appear in the Testers tab as they join.`,
})

const pausedTitles = {
  OWNER: 'Paused: new testers cannot join',
  ADMIN: 'Paused by an admin: new testers cannot join',
  SUSPENSION: 'Paused since your suspension: new testers cannot join',
} as const

const ownerSteps: Record<CampaignStatus, (campaign: Campaign) => Step | null> = {
  DRAFT: payOrSubmit,
  PENDING_APPROVAL: () => ({
    title: 'In review',
    text: 'This page will show whether it is approved or needs changes.',
  }),
  APPROVED: ({ durationDays, dispute }) =>
    dispute
      ? {
          title: 'Approved: waiting for the bank',
          text: 'Your payment is disputed. You can start the campaign once the bank has decided in your favor.',
        }
      : {
          title: 'Approved: start when you are ready',
          text: `Testers can join as soon as you start. The campaign runs for ${counted(durationDays, 'day')}.`,
        },
  REJECTED: () => ({
    title: 'Changes needed',
    text: 'Edit the campaign, then resubmit it for approval. Your payment stays in the campaign.',
  }),
  // Once testers are inside, the clock above tells what comes next.
  LIVE: campaign => {
    if (campaign._count.campaignTesters > 0) return null
    return campaign.dispute ? closedBy(campaign.dispute) : openForTesters(campaign)
  },
  PAUSED: campaign =>
    campaign.dispute
      ? closedBy(campaign.dispute)
      : {
          title: pausedTitles[campaign.pausedBy ?? 'OWNER'],
          text: `${hasOpenTests(campaign) ? 'Current testers continue, and their proofs still need your review. ' : ''}Resume the campaign when you want ${campaign._count.campaignTesters > 0 ? 'more ' : ''}testers.`,
        },
  COMPLETED: ({
    testersRequired,
    closedSeats,
    totalCostCents,
    fundedCents,
    feeCents,
    dispute,
    _count: { verified },
  }) => ({
    title: 'Completed',
    text:
      `${verified} of ${counted(testersRequired, 'test')} verified and paid${closedSeats > 0 ? `, ${counted(closedSeats, 'seat')} closed` : ''}.` +
      (fundedCents + feeCents < totalCostCents ? ` ${surplusWords({ dispute }).rest}` : ''),
  }),
  CANCELLED: campaign => ({
    title: 'Cancelled',
    text: hasOpenTests(campaign)
      ? `Proofs submitted before the cancellation are still open. ${surplusWords(campaign).rest}`
      : surplusWords(campaign).rest,
  }),
}

const adminStep: Step = {
  title: 'Waiting for your decision',
  text: 'Check that the link opens an app and that the description tells testers what to do.',
}

/** Only the actions that move the campaign forward; the rest are in the header. */
const forwardActions: readonly CampaignAction[] = ['fund', 'submit', 'start', 'approve', 'reject']

type Props = { campaign: Campaign; onAsk: (action: CampaignAction) => void }

export const NextStep = ({ campaign, onAsk }: Props) => {
  const { status, rejectionReason, endDate } = campaign
  const isAdmin = useUser().role === 'ADMIN'
  // Back from the provider's page: the browser's word does not count until the provider has confirmed it.
  const returned = useSearchParams()[0].get('payment') === 'made' && campaign.payment
  const shown = returned ? { ...campaign, payment: { ...returned, checkoutUrl: null } } : campaign
  const step = isAdmin ? status === 'PENDING_APPROVAL' && adminStep : ownerSteps[status](shown)
  if (!step && !rejectionReason) return null
  return (
    <section
      aria-label="Next step"
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border bg-accent px-5 py-4 lg:col-span-2"
    >
      <div className="min-w-0 flex-1 basis-72">
        {step && <h2 className="text-base font-semibold">{step.title}</h2>}
        {rejectionReason && <Rejection title="Why it was rejected" reason={rejectionReason} />}
        {step && <p className="max-w-prose">{step.text}</p>}
        {step && status === 'DRAFT' && campaign.declinedPayment && <Declined of={campaign.declinedPayment} />}
        {step && isRunning(status) && endDate && !campaign.dispute && (
          <p className="text-muted-foreground">
            Planned end{status === 'PAUSED' && ' (pausing does not move it)'}: <DateTime at={endDate} />
          </p>
        )}
      </div>
      <Buttons campaign={shown} onAsk={onAsk} />
    </section>
  )
}

const Buttons = ({ campaign, onAsk }: Props) => {
  const checkout = openCheckout(campaign)
  // A rejected campaign has to be edited first.
  const editFirst = campaign.status === 'REJECTED' && campaign.actions.includes('update')
  return (
    <div className="flex flex-wrap gap-2">
      {editFirst && <ButtonLink to={paths.campaignEdit(campaign.id)}>Edit</ButtonLink>}
      {checkout && <ToCheckout url={checkout} />}
      {forwardActions
        .filter(
          action =>
            campaign.actions.includes(action) &&
            !(action === 'fund' && (campaign.payment || campaign.owedCents !== undefined)),
        )
        .map(action => (
          <Button key={action} variant={action === 'reject' ? 'outline' : 'primary'} onClick={() => onAsk(action)}>
            {actionLabel(action, campaign)}
          </Button>
        ))}
    </div>
  )
}

const ToCheckout = ({ url }: { url: string }) => <Button onClick={() => goToCheckout(url)}>Continue to payment</Button>

export const Declined = ({ of: { amountCents, reason } }: { of: NonNullable<Campaign['declinedPayment']> }) => (
  <Rejection title={`Your payment of ${formatCents(amountCents)} was declined`} reason={reason} />
)

const Rejection = ({ title, reason }: { title: string; reason: string }) => (
  <figure className="my-3 max-w-prose border-l-2 border-destructive pl-3">
    <figcaption className="font-medium text-destructive">{title}</figcaption>
    <blockquote className="whitespace-pre-line wrap-anywhere">{reason}</blockquote>
  </figure>
)
