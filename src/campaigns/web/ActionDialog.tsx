/** Confirms and runs an action on a campaign; cancelling has a dialog of its own. */
import { Suspense, lazy, useState } from 'react'
import { formatCents } from '../../kit/money.ts'
import type { DescriptionItem } from '../../kit/web/ui/Card.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { TestModeNote } from '../../kit/web/ui/TestMode.tsx'
import { DateTime, Money } from '../../kit/web/ui/Values.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { useMe } from '../../accounts/web/face.tsx'
import type { Campaign, CampaignAction } from '../contract.ts'
import { freeSeatsOf, seatRefund, surplusGoes } from '../seats.ts'
import { goToCheckout } from './checkout.ts'
import { paidAtProvider } from '../../kit/web/paidAtProvider.ts'
import { afterAction, api, deciding } from './calls.ts'
import { counted, quoted } from '../../kit/words.ts'
import { surplusInDialogs } from './surplusInDialogs.ts'
import { feeLabel } from './words.ts'
import { renewalMayEnd } from './paymentWords.ts'

const RejectDialog = lazy(async () => ({ default: (await import('./RejectDialog.tsx')).RejectDialog }))

const RejectLinkDialog = lazy(async () => ({ default: (await import('./RejectLinkDialog.tsx')).RejectLinkDialog }))

type Props = { campaign: Campaign; onClose: () => void }

export const ActionDialog = ({ action, ...props }: Props & { action: Exclude<CampaignAction, 'cancel'> }) => {
  switch (action) {
    case 'fund':
      return <FundDialog {...props} />
    case 'reject':
      return (
        <Suspense>
          <RejectDialog {...props} />
        </Suspense>
      )
    case 'approveLink':
      return <ApproveLinkDialog {...props} />
    case 'rejectLink':
      return (
        <Suspense>
          <RejectLinkDialog {...props} />
        </Suspense>
      )
    case 'closeSeat':
      return <CloseSeatDialog {...props} />
    case 'submit':
    case 'approve':
    case 'start':
    case 'pause':
      return <PlainDialog action={action} {...props} />
    // These have screens of their own.
    case 'update':
    case 'join':
    case 'enterBench':
    case 'renew':
      return null
  }
}

const FundDialog = ({ campaign, onClose }: Props) => {
  const me = useMe()
  const { id, outstandingCents, totalCostCents } = campaign
  const first = outstandingCents === totalCostCents
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Pay for ${quoted(campaign.title)}`}
      description={`${
        paidAtProvider()
          ? 'You pay on Stripe’s page and come back here. Once Stripe confirms the payment, the campaign is submitted for approval.'
          : 'The campaign is submitted for approval immediately.'
      } Your money is held for this campaign, and anything unused is refunded.`}
      items={[
        ...(first
          ? [
              {
                label: `Pay for ${counted(campaign.testersRequired, 'tester')}`,
                value: <Money cents={campaign.quotedPayCents} />,
              },
              { label: feeLabel(campaign.feeBasisPoints), value: <Money cents={campaign.quotedFeeCents} /> },
            ]
          : [
              { label: 'New total', value: <Money cents={totalCostCents} /> },
              { label: 'Already paid', value: <Money cents={totalCostCents - outstandingCents} /> },
            ]),
        { label: 'Due now', value: <Money cents={outstandingCents} />, strong: true },
        {
          label: 'From',
          value: paidAtProvider() ? 'Chosen on Stripe’s page' : (me.data?.paymentMethod ?? 'Your payment method'),
        },
        { label: 'To', value: 'This campaign’s escrow' },
        { label: 'Left to pay', value: <Money cents={0} /> },
      ]}
      confirmLabel={`Pay ${formatCents(outstandingCents)}`}
      onConfirm={async () => {
        const paid = await api.fund({ params: { id }, body: { amountCents: outstandingCents } })
        afterAction(paid)
        if (paid.payment?.checkoutUrl) return goToCheckout(paid.payment.checkoutUrl)
        notify.success(
          paid.payment
            ? `Your payment of ${formatCents(outstandingCents)} is on its way`
            : `Paid ${formatCents(outstandingCents)}. The campaign is now pending approval`,
        )
      }}
    >
      <TestModeNote />
    </ConfirmDialog>
  )
}

const oldAndNew = (of: string, current: string | null, next: string | null): DescriptionItem[] =>
  next === null
    ? []
    : [
        { label: `Current ${of}`, value: <span className="wrap-anywhere">{current}</span> },
        { label: `New ${of}`, value: <span className="wrap-anywhere">{next}</span>, strong: true },
      ]

const ApproveLinkDialog = ({ campaign, onClose }: Props) => {
  // The links as the page showed them when the dialog was opened: the page behind it may be updated.
  const [{ id, title, distributionLink, pendingLink, groupLink, pendingGroupLink }] = useState(campaign)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Approve the new link of ${quoted(title)}`}
      description="Testers get the new link immediately and are told to use it. The developer is notified too."
      items={[
        ...oldAndNew('link', distributionLink, pendingLink),
        ...oldAndNew('Google Group', groupLink, pendingGroupLink),
      ]}
      confirmLabel="Approve link"
      onConfirm={async () => {
        const body = { link: pendingLink ?? undefined, groupLink: pendingGroupLink }
        afterAction(await deciding(api.approveLink({ params: { id }, body })))
        notify.success('Link approved')
      }}
    />
  )
}

const CloseSeatDialog = ({ campaign, onClose }: Props) => {
  const { id, testersRequired, closedSeats } = campaign
  const { payCents, feeCents, totalCents } = seatRefund(campaign)
  const surplus = surplusInDialogs(campaign)
  const refunded = surplusGoes(campaign) === 'REFUNDED'
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Close a free seat in ${quoted(campaign.title)}`}
      description={`The seat is gone for good: no tester can take it, and you cannot open it again. ${surplus.seat}${campaign.payment ? ` ${renewalMayEnd(campaign.payment)}` : ''}`}
      items={[
        { label: 'Tester’s pay', value: <Money cents={payCents} /> },
        { label: 'Platform fee for this seat', value: <Money cents={feeCents} /> },
        { label: refunded ? 'Refunded to you' : surplus.label, value: <Money cents={totalCents} />, strong: true },
        ...(refunded ? [{ label: 'Refunded to', value: 'Original payment method' }] : []),
        { label: 'Free seats left', value: freeSeatsOf(campaign) - 1 },
        { label: 'Seats left in total', value: testersRequired - closedSeats - 1 },
      ]}
      confirmLabel={refunded ? `Close seat, refund ${formatCents(totalCents)}` : 'Close seat'}
      dismissLabel="Keep seat"
      tone="destructive"
      onConfirm={async () => {
        const closed = await api.closeSeat({ params: { id } })
        afterAction(closed)
        // A dispute may have begun or ended since the dialog was opened.
        notify.success(`Seat closed${surplusInDialogs(closed).done(totalCents)}`)
      }}
    />
  )
}

type PlainAction = 'submit' | 'approve' | 'start' | 'pause'

const act = (action: PlainAction, { id, submittedAt }: Campaign) =>
  action === 'approve'
    ? deciding(api.approve({ params: { id }, body: { submittedAt: submittedAt ?? undefined } }))
    : api[action]({ params: { id } })

type Plain = { title: string; description: React.ReactNode; confirmLabel: string; done: string }

const joinAgain = (dispute: Campaign['dispute']) => {
  if (!dispute) return 'Testers can join again.'
  return dispute.since === null
    ? 'New testers still cannot join, because the bank took the payment back.'
    : 'Testers can join again once the bank has decided the dispute in your favor.'
}

const plain: Record<PlainAction, (campaign: Campaign) => Plain> = {
  submit: ({ title }) => ({
    title: `Submit ${quoted(title)}`,
    description: 'We review the campaign before testers can see it. You cannot edit it during the review.',
    confirmLabel: 'Submit for approval',
    done: 'Submitted for approval',
  }),
  approve: ({ title, developer }) => ({
    title: `Approve ${quoted(title)}`,
    description: `${developer.name} is notified and can start the campaign at any time.`,
    confirmLabel: 'Approve',
    done: 'Campaign approved',
  }),
  start: ({ title, status, durationDays, endDate, dispute }) =>
    status === 'PAUSED'
      ? {
          title: `Resume ${quoted(title)}`,
          description: (
            <>
              {joinAgain(dispute)}
              {endDate && !dispute && (
                <>
                  {' '}
                  It ends on <DateTime at={endDate} />.
                </>
              )}
            </>
          ),
          confirmLabel: 'Resume',
          done: 'Campaign is live again',
        }
      : {
          title: `Start ${quoted(title)}`,
          description: `Testers can join immediately. The campaign runs for ${counted(durationDays, 'day')}, and you can no longer change its terms.`,
          confirmLabel: 'Start campaign',
          done: 'Campaign is live',
        },
  pause: ({ title }) => ({
    title: `Pause ${quoted(title)}`,
    description: 'New testers cannot join. Current testers continue and are paid as agreed.',
    confirmLabel: 'Pause',
    done: 'Campaign paused',
  }),
}

const PlainDialog = ({ action, campaign, onClose }: Props & { action: PlainAction }) => {
  const { done, ...words } = plain[action](campaign)
  // The campaign as the page showed it when the dialog was opened: the page behind it may be updated.
  const [opened] = useState(campaign)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      {...words}
      onConfirm={async () => {
        afterAction(await act(action, opened))
        notify.success(done)
      }}
    />
  )
}
