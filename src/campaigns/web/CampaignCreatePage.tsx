import { Suspense } from 'react'
import { paths } from '../../kit/paths.ts'
import { BackLink } from '../../kit/web/ui/BackLink.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { lazyParts } from '../../kit/web/ui/lazyParts.ts'
import { useUser } from '../../kit/web/user.ts'
import { createHead } from './heads.ts'

const form = lazyParts(() => import('./CreateForm.tsx'))
form.preload()

const CreateForm = () => {
  const { id } = useUser()
  const parts = form.use()
  return <parts.CreateForm userId={id} />
}

export const CampaignCreatePage = () => (
  <>
    <PageHeader {...createHead} back={<BackLink to={paths.campaigns}>My Campaigns</BackLink>} />
    <Suspense fallback={<Skeleton className="h-96 rounded-xl" />}>
      <CreateForm />
    </Suspense>
  </>
)
