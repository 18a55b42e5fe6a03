import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { formatCents } from '../../kit/money.ts'
import { paths } from '../../kit/paths.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { LeaveGuard, saved } from '../../kit/web/ui/LeaveGuard.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { EmptyState } from '../../kit/web/ui/States.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { Campaign, NewCampaign } from '../contract.ts'
import { statusWords } from '../rules.ts'
import { CampaignBadge } from './CampaignBadge.tsx'
import { CampaignForm } from './CampaignForm.tsx'
import { CampaignLoaded } from './CampaignLoaded.tsx'
import { CostSummary, Preflight } from './CostSummary.tsx'
import { api, useAfterAction } from './campaignCache.ts'
import { type CampaignValues, type Priced, quoteOf, useCampaignForm, valuesOf } from './campaignValues.ts'
import { sameValues } from './sameValues.ts'

export const CampaignEditPage = () => (
  <CampaignLoaded id={useParams().id ?? ''}>
    {campaign => (
      <>
        <PageHeader
          title={`Edit ${campaign.title}`}
          badge={<CampaignBadge status={campaign.status} />}
          back={<BackLink to={paths.campaign(campaign.id)}>{campaign.title}</BackLink>}
        />
        {campaign.actions.includes('update') ? (
          <EditForm key={campaign.id} campaign={campaign} />
        ) : (
          <EmptyState
            title="This campaign cannot be edited now"
            hint={`It is ${statusWords[campaign.status]}.`}
            action={<ButtonLink to={paths.campaign(campaign.id)}>Back to the campaign</ButtonLink>}
          />
        )}
      </>
    )}
  </CampaignLoaded>
)

const isRunning = ({ status }: Campaign) => status === 'LIVE' || status === 'PAUSED'

const EditForm = ({ campaign }: { campaign: Campaign }) => {
  const [before] = useState(() => valuesOf(campaign))
  const form = useCampaignForm(before)
  const save = useSave(campaign, before)
  /** Saved only after it was confirmed, because money goes back. */
  const [toConfirm, setToConfirm] = useState<NewCampaign | null>(null)
  const dirty = !sameValues(form.watch(), before)
  const running = isRunning(campaign)
  return (
    <>
      <CampaignForm
        form={form}
        onSubmit={wish => (surplusOf(campaign, wish) > 0 ? setToConfirm(wish) : save.mutate(wish))}
        loading={save.isPending}
        submitError={toConfirm ? null : save.error}
        submitLabel="Save changes"
        errorFallback="Failed to save the campaign"
        disabled={!dirty}
        actions={
          <ButtonLink to={paths.campaign(campaign.id)} variant="ghost">
            Cancel
          </ButtonLink>
        }
        locked={
          running
            ? `The terms cannot change while the campaign is ${statusWords[campaign.status]}: testers joined under them. The title, the description and the link can.`
            : undefined
        }
        aside={
          <>
            {campaign.status === 'REJECTED' && <RejectedNotice campaign={campaign} />}
            <CostSummary
              of={form}
              fee={campaign.feeBasisPoints}
              more={cost => (running ? [] : paidLines(campaign, cost.totalCostCents))}
              note={
                running ? 'Paid in full. Nothing changes here.' : <Balance campaign={campaign} wish={form.watch()} />
              }
            />
            {!running && <Preflight of={form} />}
          </>
        }
      />
      {toConfirm && (
        <RefundDialog
          campaign={campaign}
          wish={toConfirm}
          onClose={() => setToConfirm(null)}
          onConfirm={() => save.mutateAsync(toConfirm)}
        />
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

/** What goes back when these terms are saved: only a draft or a rejected campaign changes its total. */
const surplusOf = (campaign: Campaign, wish: Priced) => {
  const cost = quoteOf(wish, campaign.feeBasisPoints)
  return isRunning(campaign) || !cost ? 0 : paidOf(campaign) - cost.totalCostCents
}

const paidLines = (campaign: Campaign, totalCostCents: number) => {
  const left = totalCostCents - paidOf(campaign)
  if (paidOf(campaign) === 0) return []
  return [
    { label: 'Already paid', value: <Money cents={paidOf(campaign)} /> },
    {
      label: left < 0 ? 'Comes back to you' : 'Still to pay',
      value: <Money cents={left < 0 ? -left : left} />,
      strong: true,
    },
  ]
}

const Balance = ({ campaign, wish }: { campaign: Campaign; wish: Priced }) => {
  const surplus = surplusOf(campaign, wish)
  if (paidOf(campaign) === 0) return 'Nothing is paid yet: you pay the new total to send it for approval.'
  if (surplus > 0) return `Saving refunds ${formatCents(surplus)} to the payment method it was paid with.`
  if (surplus < 0) return `After saving you pay ${formatCents(-surplus)} more to send it for approval.`
  return 'What you paid covers it.'
}

const RejectedNotice = ({ campaign }: { campaign: Campaign }) => (
  <Alert tone="red" title="Why it was rejected">
    <p className="whitespace-pre-line">{campaign.rejectionReason}</p>
    <p className="mt-2">Saving makes it a draft again. Then submit it for approval once more.</p>
  </Alert>
)

const RefundDialog = ({
  campaign,
  wish,
  onClose,
  onConfirm,
}: {
  campaign: Campaign
  wish: NewCampaign
  onClose: () => void
  onConfirm: () => Promise<unknown>
}) => {
  const surplus = surplusOf(campaign, wish)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Save and get a refund?"
      description="The new terms cost less than you paid."
      items={[
        { label: 'Refund', value: <Money cents={surplus} />, strong: true },
        { label: 'To', value: 'The payment method it was paid with' },
        { label: 'Stays in the campaign', value: <Money cents={paidOf(campaign) - surplus} /> },
      ]}
      confirmLabel={`Save and refund ${formatCents(surplus)}`}
      onConfirm={onConfirm}
      errorFallback="Failed to save the campaign"
    />
  )
}

const useSave = (campaign: Campaign, before: CampaignValues) => {
  const navigate = useNavigate()
  const afterAction = useAfterAction()
  return useMutation({
    mutationFn: async (wish: NewCampaign) => {
      const { changeOf } = await import('./campaignSchema.ts')
      const body = changeOf(before, wish)
      // Only blanks differ, and those are trimmed.
      if (Object.keys(body).length === 0) return campaign
      return api.update({ params: { id: campaign.id }, body })
    },
    onSuccess: async (changed, wish) => {
      const surplus = surplusOf(campaign, wish)
      afterAction(changed, { money: true })
      notify.success(surplus > 0 ? `Changes saved. ${formatCents(surplus)} is on its way back to you` : 'Changes saved')
      await navigate(paths.campaign(campaign.id), saved)
    },
  })
}
