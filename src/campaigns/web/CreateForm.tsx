import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { formatCents } from '../../kit/money.ts'
import { paths } from '../../kit/paths.ts'
import { Alert } from '../../kit/web/ui/Alert.tsx'
import { Button } from '../../kit/web/ui/Button.tsx'
import { ConfirmDialog } from '../../kit/web/ui/ConfirmDialog.tsx'
import { LeaveGuard, saved } from '../../kit/web/ui/LeaveGuard.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { notify } from '../../kit/web/ui/toast.tsx'
import { counted } from '../../kit/words.ts'
import type { NewCampaign } from '../contract.ts'
import { proposedAccess } from '../proposedAccess.ts'
import { platformFee } from '../../settings/terms.ts'
import { CampaignForm } from './CampaignForm.tsx'
import { CostSummary } from './CostSummary.tsx'
import { afterAction, api, useNewTerms } from './calls.ts'
import { forgetDraft, keepDraft, readDraft, startValues } from './campaignDraft.ts'
import { blankValues, type CampaignFormState, type CampaignValues, useCampaignForm } from './campaignValues.ts'
import { sameValues } from './sameValues.ts'
import { laterPart } from '../../kit/web/ui/laterPart.ts'

const StoreAdvice = laterPart(
  async () => (await import('./StoreAdvice.tsx')).StoreAdvice,
  <Skeleton className="h-32 rounded-md" />,
)

/** Starts with the draft that the user began on this device, or with the figures that they chose on the front page. */
export const CreateForm = ({ userId }: { userId: string }) => {
  const [draft, setDraft] = useState(() => readDraft(userId))
  const [start, setStart] = useState(startValues)
  const form = useCampaignForm(draft ?? start)
  // Each change is saved for the next visit.
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => keepDraft(userId, values) }),
    [form, userId],
  )
  const create = useCreate(userId)
  const fee = useNewTerms().data?.feeBasisPoints ?? platformFee
  const access = useProposedAccess(form, draft)
  const startOver = () => {
    forgetDraft(userId)
    form.reset(blankValues)
    setDraft(null)
    setStart(blankValues)
    access.propose()
  }
  const dirty = !sameValues(form.watch(), start)
  return (
    <>
      <CampaignForm
        form={form}
        onSubmit={create.mutate}
        onAccessChosen={access.choose}
        loading={create.isPending}
        submitError={create.error}
        submitLabel="Create Campaign"
        errorFallback="Failed to create campaign"
        actions={<p className="text-muted-foreground">You pay in the next step, and can add a feedback form there.</p>}
        aside={
          <>
            {draft && dirty && <DraftNotice onDiscard={startOver} />}
            {!draft && !sameValues(start, blankValues) && <ChosenNotice {...start} />}
            <CostSummary
              of={form}
              fee={fee}
              note="Held for this campaign and paid out as tests are verified. Anything unused is refunded."
            />
            <StoreAdvice of={form} fee={fee} onChosen={access.choose} />
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

/** Until the developer chooses how testers get in, the form proposes a way from the link and the platform. */
const useProposedAccess = (form: CampaignFormState, draft: CampaignValues | null) => {
  const [chosen, setChosen] = useState(() => draft !== null && draft.accessMode !== proposedAccess(draft))
  const [platform = 'android', distributionLink] = form.watch(['platform', 'distributionLink'])
  const proposed = proposedAccess({ platform, distributionLink })
  useEffect(() => {
    if (!chosen) form.setValue('accessMode', proposed)
  }, [form, chosen, proposed])
  return { choose: () => setChosen(true), propose: () => setChosen(false) }
}

const ChosenNotice = ({ testersRequired, payPerTesterCents }: CampaignValues) => (
  <Alert title="Filled in for you">
    <p>
      You chose {counted(testersRequired, 'tester')} at {formatCents(payPerTesterCents)} each on our front page. You can
      change both.
    </p>
  </Alert>
)

const DraftNotice = ({ onDiscard }: { onDiscard: () => void }) => {
  const [asking, setAsking] = useState(false)
  return (
    <Alert title="Draft restored">
      <p>You started this campaign earlier.</p>
      <Button variant="link" onClick={() => setAsking(true)}>
        Start over
      </Button>
      {asking && (
        <ConfirmDialog
          open
          onOpenChange={setAsking}
          title="Discard this draft?"
          description="It will be lost."
          confirmLabel="Start over"
          tone="destructive"
          onConfirm={async () => onDiscard()}
        />
      )}
    </Alert>
  )
}

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
