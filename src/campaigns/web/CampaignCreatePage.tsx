import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button, ButtonLink } from '../../kit/web/ui/Button.tsx'
import { LeaveGuard, saved } from '../../kit/web/ui/LeaveGuard.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { EmptyState } from '../../kit/web/ui/States.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import type { NewCampaign } from '../contract.ts'
import { platformFee } from '../../settings/terms.ts'
import { CampaignForm } from './CampaignForm.tsx'
import { CostSummary, Preflight } from './CostSummary.tsx'
import { api, useAfterAction } from './campaignCache.ts'
import { forgetDraft, keepDraft, readDraft } from './campaignDraft.ts'
import { blankValues, useCampaignForm } from './campaignValues.ts'
import { sameValues } from './sameValues.ts'

export const CampaignCreatePage = () => {
  const { id, role } = useUser()
  return (
    <>
      <PageHeader
        title="Create Campaign"
        description="Say what to test, for how long, and what it pays. It is a draft until you pay for it."
        back={<BackLink to={paths.campaigns}>My Campaigns</BackLink>}
      />
      {role === 'DEVELOPER' ? (
        <CreateForm userId={id} />
      ) : (
        <EmptyState
          title="Only developers can create campaigns. Please switch to a developer account."
          action={
            <ButtonLink to={paths.campaigns} variant="outline">
              Back to campaigns
            </ButtonLink>
          }
        />
      )}
    </>
  )
}

const CreateForm = ({ userId }: { userId: string }) => {
  const [draft] = useState(() => readDraft(userId))
  const form = useCampaignForm(draft ?? blankValues)
  // The form library keeps the values; each change is written down for the next visit.
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => keepDraft(userId, values) }),
    [form, userId],
  )
  const create = useCreate(userId)
  const terms = useQuery({ queryKey: ['campaigns', 'new-terms'], queryFn: ({ signal }) => api.newTerms({ signal }) })
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
              note="Held for this campaign and paid out test by test. What is not used comes back to you."
            />
            <Preflight of={form} />
          </>
        }
      />
      <LeaveGuard
        dirty={dirty && !create.isSuccess}
        kept
        title="Leave without creating it?"
        description="What you wrote stays in this browser, so you can go on later."
      />
    </>
  )
}

const DraftNotice = ({ onDiscard }: { onDiscard: () => void }) => (
  <Alert title="We kept what you wrote">
    <p>You began this campaign earlier.</p>
    <Button variant="link" onClick={onDiscard}>
      Start over
    </Button>
  </Alert>
)

const useCreate = (userId: string) => {
  const navigate = useNavigate()
  const afterAction = useAfterAction()
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
