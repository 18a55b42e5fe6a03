import type { ReactNode } from 'react'
import { isMissing } from '../../kit/web/apiError.ts'
import { useUser } from '../../kit/web/user.ts'
import { paths } from '../../kit/paths.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { MissingPage } from '../../kit/web/ui/MissingPage.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import type { Campaign } from '../contract.ts'
import { useCampaign } from './calls.ts'
import { listNames } from './listNames.ts'

/** Loads the campaign and shows its loading, error and not-found states. */
export const CampaignLoaded = ({ id, children }: { id: string; children: (campaign: Campaign) => ReactNode }) => {
  const { role } = useUser()
  const campaign = useCampaign(id)
  if (isMissing(campaign.error)) return <NotFound />
  return (
    <>
      {campaign.isLoadingError && (
        <PageHeader title="Campaign" back={<BackLink to={paths.campaigns}>{listNames[role]}</BackLink>} />
      )}
      <Query of={campaign} loading={<LoadingCampaign />} errorTitle="Failed to load the campaign">
        {children}
      </Query>
    </>
  )
}

const NotFound = () => (
  <MissingPage
    title="Campaign not found"
    hint={
      useUser().role === 'TESTER'
        ? 'It may be paused or have ended. Check the URL, or find other campaigns in the list.'
        : 'Check the URL, or find it in your list.'
    }
    to={paths.campaigns}
    back="Back to campaigns"
  />
)

const LoadingCampaign = () => (
  <div role="status">
    <span className="sr-only">Loading the campaign</span>
    <Skeleton className="h-9 w-2/3 max-w-md" />
    <Skeleton className="mt-2 h-5 w-40" />
    <div className="mt-6 grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid content-start gap-5">
        <Skeleton className="h-24" />
        <Skeleton className="h-72" />
      </div>
      <Skeleton className="h-64" />
    </div>
  </div>
)
