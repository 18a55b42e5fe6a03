import { useParams } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { ButtonLink } from '../../kit/web/ui/Button.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { EmptyState, Skeleton } from '../../kit/web/ui/States.tsx'
import { startedPart } from '../../kit/web/ui/laterPart.ts'
import { statusWords } from '../rules.ts'
import { CampaignBadge } from './CampaignBadge.tsx'
import { CampaignLoaded } from './CampaignLoaded.tsx'

const loading = <Skeleton className="h-96 rounded-xl" />
const EditForm = startedPart(async () => (await import('./EditForm.tsx')).EditForm, loading)

export const CampaignEditPage = () => (
  <CampaignLoaded id={useParams().id ?? ''}>
    {campaign => (
      <>
        <PageHeader
          title={`Edit ${campaign.title}`}
          badge={<CampaignBadge status={campaign.status} />}
          actions={
            <ButtonLink to={paths.campaignFeedbackForm(campaign.id)} variant="outline">
              Feedback form
            </ButtonLink>
          }
          back={<BackLink to={paths.campaign(campaign.id)}>{campaign.title}</BackLink>}
        />
        {campaign.actions.includes('update') ? (
          <EditForm campaign={campaign} />
        ) : (
          <EmptyState
            title="You cannot edit this campaign right now"
            hint={`It is ${statusWords[campaign.status]}.`}
            action={<ButtonLink to={paths.campaign(campaign.id)}>Back to the campaign</ButtonLink>}
          />
        )}
      </>
    )}
  </CampaignLoaded>
)
