import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { LeaveGuard, saved } from '../../kit/web/ui/LeaveGuard.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { NewCampaign } from '../contract.ts'
import { platformFee } from '../../settings/terms.ts'
import { CampaignForm } from './CampaignForm.tsx'
import { CostSummary, Preflight } from './CostSummary.tsx'
import { afterAction, api } from './calls.ts'
import { forgetDraft, keepDraft, readDraft } from './campaignDraft.ts'
import { blankValues, useCampaignForm } from './campaignValues.ts'
import { campaignKeys } from './keys.ts'
import { sameValues } from './sameValues.ts'

export const CampaignCreatePage = () => {
  const { id } = useUser()
  return (
    <>
      <PageHeader
        title="Create Campaign"
        description="Describe what to test, for how long, and what it pays. Your campaign stays a draft until you pay for it."
        back={<BackLink to={paths.campaigns}>My Campaigns</BackLink>}
      />
      <CreateForm userId={id} />
    </>
  )
}

const CreateForm = ({ userId }: { userId: string }) => {
  const [draft] = useState(() => readDraft(userId))
  const form = useCampaignForm(draft ?? blankValues)
  // Each change is saved for the next visit.
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => keepDraft(userId, values) }),
    [form, userId],
  )
  const create = useCreate(userId)
  const terms = useQuery({ queryKey: campaignKeys.newTerms, queryFn: ({ signal }) => api.newTerms({ signal }) })
  const dirty = !sameValues(form.watch(), blankValues)
  return (
    <>
      <CampaignForm
        form={form}
        onSubmit={create.mutate}
        loading={create.isPending}
        submitError={create.error}
        submitLabel="Create Campaign"
        errorFallback="Failed to create campaign"
        actions={<p className="text-muted-foreground">You pay in the next step.</p>}
        aside={
          <>
            {draft && dirty && <DraftNotice onDiscard={() => form.reset(blankValues)} />}
            <CostSummary
              of={form}
              fee={terms.data?.feeBasisPoints ?? platformFee}
              note="Held for this campaign and paid out as tests are verified. Anything unused is refunded."
            />
            <Preflight of={form} />
          </>
        }
      />
      <LeaveGuard
        dirty={dirty && !create.isSuccess}
        kept
        title="Leave without creating the campaign?"
        description="Your draft stays in this browser, so you can continue later."
      />
    </>
  )
}

const DraftNotice = ({ onDiscard }: { onDiscard: () => void }) => (
  <Alert title="Draft restored">
    <p>You started this campaign earlier.</p>
    <Button variant="link" onClick={onDiscard}>
      Start over
    </Button>
  </Alert>
)

const useCreate = (userId: string) => {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (body: NewCampaign) => api.create({ body }),
    onSuccess: async campaign => {
      forgetDraft(userId)
      afterAction(campaign)
      notify.success('Campaign created')
      await navigate(paths.campaign(campaign.id), saved)
    },
  })
}
