import { useMutation } from '@tanstack/react-query'
import { Suspense, lazy, useState } from 'react'
import { useNavigate } from 'react-router'
import { formatCents } from '../../kit/money.ts'
import { paths } from '../../kit/paths.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { LeaveGuard, saved } from '../../kit/web/ui/LeaveGuard.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Campaign, NewCampaign } from '../contract.ts'
import { surplusGoes } from '../seats.ts'
import { isRunning, statusWords } from '../rules.ts'
import { CampaignForm } from './CampaignForm.tsx'
import { CostSummary } from './CostSummary.tsx'
import { afterAction, api } from './calls.ts'
import { type CampaignValues, type Priced, quoteOf, useCampaignForm, valuesOf } from './campaignValues.ts'
import { paymentEnds } from './paymentWords.ts'
import { sameValues } from './sameValues.ts'
import { surplusInDialogs } from './surplusInDialogs.ts'
import { newLinkName } from './words.ts'
import { laterPart } from '../../kit/web/ui/laterPart.ts'

const StoreAdvice = laterPart(
  async () => (await import('./StoreAdvice.tsx')).StoreAdvice,
  <Skeleton className="h-32 rounded-md" />,
)
const RefundDialog = lazy(async () => ({ default: (await import('./RefundDialog.tsx')).RefundDialog }))
const PaymentEndsDialog = lazy(async () => ({
  default: (await import('./PaymentEndsDialog.tsx')).PaymentEndsDialog,
}))

export const EditForm = ({ campaign }: { campaign: Campaign }) => {
  const [before] = useState(() => valuesOf(campaign))
  const form = useCampaignForm(before)
  const save = useSave(campaign, before)
  /** Saving moves money, so it needs confirmation. */
  const [toConfirm, setToConfirm] = useState<NewCampaign | null>(null)
  const dirty = !sameValues(form.watch(), before)
  const running = isRunning(campaign.status)
  const rejected = campaign.status === 'REJECTED'
  return (
    <>
      <CampaignForm
        form={form}
        onSubmit={async input => {
          const movesMoney = surplusOf(campaign, input) > 0 || endedBy(campaign, input)
          if (movesMoney && (await bodyOf(campaign, before, input)) !== null) setToConfirm(input)
          else save.mutate(input)
        }}
        loading={save.isPending}
        submitError={toConfirm ? null : save.error}
        submitLabel={rejected && !dirty ? 'Save as draft' : 'Save changes'}
        disabled={!dirty && !rejected}
        actions={
          <ButtonLink to={paths.campaign(campaign.id)} variant="ghost">
            Cancel
          </ButtonLink>
        }
        locked={
          running
            ? `You cannot change the terms while the campaign is ${statusWords[campaign.status]}, because testers joined under them. You can still edit the title, the description and the links. Testers get a new link once we have approved it.`
            : undefined
        }
        aside={
          <>
            {rejected && <RejectedNotice campaign={campaign} />}
            {campaign.pendingLinkSince !== null && <LinkNotice campaign={campaign} />}
            <CostSummary
              of={form}
              fee={campaign.feeBasisPoints}
              more={cost => (running ? [] : paidLines(campaign, cost.totalCostCents))}
              note={
                running ? (
                  `Paid in full. Editing does not change the cost.${campaign.payment ? ` ${paymentEnds(campaign.payment, 'Changing the title')}` : ''}`
                ) : (
                  <Balance campaign={campaign} input={form.watch()} />
                )
              }
            />
            {!running && <StoreAdvice of={form} fee={campaign.feeBasisPoints} />}
          </>
        }
      />
      {toConfirm && (
        <Suspense>
          {surplusOf(campaign, toConfirm) > 0 ? (
            <RefundDialog
              refundCents={surplusOf(campaign, toConfirm)}
              paidCents={paidOf(campaign)}
              campaign={campaign}
              onClose={() => setToConfirm(null)}
              onConfirm={() => save.mutateAsync(toConfirm)}
            />
          ) : (
            campaign.payment && (
              <PaymentEndsDialog
                payment={campaign.payment}
                onClose={() => setToConfirm(null)}
                onConfirm={() => save.mutateAsync(toConfirm)}
              />
            )
          )}
        </Suspense>
      )}
      <LeaveGuard
        dirty={dirty && !save.isSuccess}
        title="Leave without saving?"
        description="Your changes to this campaign will be lost."
      />
    </>
  )
}

const paidOf = ({ fundedCents, feeCents }: Campaign) => fundedCents + feeCents

/** The refund that saving these terms causes: only a draft or a rejected campaign changes its total. */
const surplusOf = (campaign: Campaign, input: Priced) => {
  const cost = quoteOf(input, campaign.feeBasisPoints)
  return isRunning(campaign.status) || !cost ? 0 : paidOf(campaign) - cost.totalCostCents
}

/** Any edit of a draft ends the payment on its way. While the campaign runs only a new title does: the provider's page shows it. */
const endedBy = (campaign: Campaign, input: Pick<NewCampaign, 'title'>) =>
  campaign.payment !== undefined && (!isRunning(campaign.status) || input.title !== campaign.title)

const surplusLabel = (campaign: Campaign) =>
  surplusGoes(campaign) === 'REFUNDED' ? 'Refunded to you' : surplusInDialogs(campaign).label

const paidLines = (campaign: Campaign, totalCostCents: number) => {
  const left = totalCostCents - paidOf(campaign)
  if (paidOf(campaign) === 0) return []
  return [
    { label: 'Already paid', value: <Money cents={paidOf(campaign)} /> },
    {
      label: left < 0 ? surplusLabel(campaign) : 'Still to pay',
      value: <Money cents={left < 0 ? -left : left} />,
      strong: true,
    },
  ]
}

const Balance = ({ campaign, input }: { campaign: Campaign; input: Priced }) => {
  const surplus = surplusOf(campaign, input)
  if (campaign.payment) return paymentEnds(campaign.payment, 'Saving')
  if (paidOf(campaign) === 0) return 'You have not paid yet. Pay the new total to submit the campaign for approval.'
  if (surplus > 0)
    return surplusGoes(campaign) === 'REFUNDED'
      ? `Saving refunds ${formatCents(surplus)} to your original payment method.`
      : surplusInDialogs(campaign).rest
  if (surplus < 0) return `After saving, pay ${formatCents(-surplus)} more to submit the campaign for approval.`
  return 'Your payment covers the total.'
}

const RejectedNotice = ({ campaign }: { campaign: Campaign }) => (
  <Alert tone="red" title="Why it was rejected">
    <p className="whitespace-pre-line">{campaign.rejectionReason}</p>
    <p className="mt-2">
      Saving turns the campaign back into a draft, even if nothing here needs to change, for example because you fixed
      the link, the NDA or the feedback form. You can then resubmit it for approval.
    </p>
  </Alert>
)

const LinkNotice = ({ campaign }: { campaign: Campaign }) => {
  const { pendingLink, distributionLink, pendingGroupLink, groupLink } = campaign
  const both = pendingLink !== null && pendingGroupLink !== null
  const kept = [pendingLink === null ? null : distributionLink, pendingGroupLink === null ? null : groupLink]
  const words = kept.filter(link => link !== null).join(' and ')
  return (
    <Alert tone="blue" title={`Your new ${newLinkName(campaign)} ${both ? 'are' : 'is'} waiting for approval`}>
      <p className="wrap-anywhere">
        Testers still have {words}. To withdraw the change, enter the current {both ? 'links' : 'link'} again.
      </p>
    </Alert>
  )
}

type Saved = { before: Campaign; changed: Campaign; surplus: number; newLink: boolean }

const savedWords = ({ before, changed, surplus, newLink }: Saved) => {
  if (surplus > 0)
    return surplusGoes(changed) === 'REFUNDED'
      ? `Changes saved. ${formatCents(surplus)} is being refunded`
      : `Changes saved${surplusInDialogs(changed).done(surplus)}`
  if (before.status === 'REJECTED' && changed.outstandingCents === 0)
    return 'The campaign is a draft again. Resubmit it for approval'
  return newLink ? 'Changes saved. The new link is waiting for approval' : 'Changes saved'
}

/** The change to send; null if only surrounding spaces differ, which are trimmed. */
const bodyOf = async (campaign: Campaign, before: CampaignValues, input: NewCampaign) => {
  const { changeOf } = await import('./campaignSchema.ts')
  const body = changeOf(before, input)
  if (Object.keys(body).length > 0) return body
  return campaign.status === 'REJECTED' ? { title: input.title } : null
}

const useSave = (campaign: Campaign, before: CampaignValues) => {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (input: NewCampaign) => {
      const body = await bodyOf(campaign, before, input)
      return body && api.update({ params: { id: campaign.id }, body })
    },
    onSuccess: async (changed, input) => {
      if (!changed) {
        notify.info('Nothing has changed')
        return navigate(paths.campaign(campaign.id), saved)
      }
      const surplus = surplusOf(campaign, input)
      afterAction(changed)
      const newLink =
        (changed.pendingLink !== null && changed.pendingLink !== campaign.pendingLink) ||
        (changed.pendingGroupLink !== null && changed.pendingGroupLink !== campaign.pendingGroupLink)
      notify.success(savedWords({ before: campaign, changed, surplus, newLink }))
      await navigate(paths.campaign(campaign.id), saved)
    },
  })
}
