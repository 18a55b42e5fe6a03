import { useQuery } from '@tanstack/react-query'
import type { Campaign } from '../../campaigns/contract.ts'
import { statusWords } from '../../campaigns/rules.ts'
import { paths } from '../../kit/paths.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { EmptyState, Skeleton } from '../../kit/web/ui/States.tsx'
import { startedPart } from '../../kit/web/ui/laterPart.ts'
import { formQuery } from './calls.ts'
import { formHead } from './heads.ts'
import { hasEnded } from '../../campaigns/rules.ts'

const loading = (
  <div role="status" className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
    <span className="sr-only">Loading the feedback form</span>
    <Skeleton className="h-96 rounded-xl" />
    <Skeleton className="h-72 rounded-xl" />
  </div>
)

const FormBuilder = startedPart(async () => (await import('./FormBuilder.tsx')).FormBuilder, loading)

/** The page on which the owner writes and changes a campaign's feedback form. */
export const FormPage = ({ campaign }: { campaign: Campaign }) => {
  const form = useQuery(formQuery(campaign.id))
  return (
    <>
      <PageHeader
        {...formHead}
        documentTitle={`Feedback form: ${campaign.title}`}
        back={<BackLink to={paths.campaignTab(campaign.id, 'feedback')}>{campaign.title}</BackLink>}
      />
      {hasEnded(campaign.status) ? (
        <EmptyState
          title="This form can no longer be changed"
          hint={`The campaign is ${statusWords[campaign.status]}.`}
          action={<ButtonLink to={paths.campaignTab(campaign.id, 'feedback')}>Back to the answers</ButtonLink>}
        />
      ) : (
        <Query of={form} loading={loading} errorTitle="Failed to load the feedback form">
          {loaded => <FormBuilder campaignId={campaign.id} saved={loaded} />}
        </Query>
      )}
    </>
  )
}
