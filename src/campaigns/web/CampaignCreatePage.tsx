import { paths } from '../../kit/paths.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { startedPart } from '../../kit/web/ui/laterPart.ts'
import { useUser } from '../../kit/web/user.ts'
import { createHead } from './heads.ts'

const loading = <Skeleton className="h-96 rounded-xl" />
const CreateForm = startedPart(async () => (await import('./CreateForm.tsx')).CreateForm, loading)

export const CampaignCreatePage = () => (
  <>
    <PageHeader {...createHead} back={<BackLink to={paths.campaigns}>My Campaigns</BackLink>} />
    <CreateForm userId={useUser().id} />
  </>
)
