import { useQuery } from '@tanstack/react-query'
import { History, Plus } from 'lucide-react'
import { Suspense, lazy, useState } from 'react'
import type { Campaign } from '../../campaigns/contract.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { EmptyState, Skeleton, SkeletonList } from '../../kit/web/ui/States.tsx'
import { useUser } from '../../kit/web/user.ts'
import type { ChangeEntry } from '../contract.ts'
import { Versions } from './Versions.tsx'
import { versionsQuery } from './calls.ts'
import { laterPart } from '../../kit/web/ui/laterPart.ts'

const PublishForm = laterPart(
  async () => (await import('./PublishForm.tsx')).PublishForm,
  <Skeleton className="h-80 rounded-xl" />,
)
const CorrectDialog = lazy(async () => ({ default: (await import('./CorrectDialog.tsx')).CorrectDialog }))

/** For the owner and admins; only the owner publishes. */
export const ChangesTab = ({ campaign }: { campaign: Campaign }) => {
  const isOwner = useUser().role === 'DEVELOPER'
  const versions = useQuery(versionsQuery(campaign.id))
  const [publishing, setPublishing] = useState(false)
  const [corrected, setCorrected] = useState<ChangeEntry | null>(null)
  const begin = (
    <Button onClick={() => setPublishing(true)}>
      <Plus aria-hidden /> New version
    </Button>
  )
  return (
    <div className="grid gap-5">
      {isOwner && publishing && <PublishForm campaignId={campaign.id} onClose={() => setPublishing(false)} />}
      <Query
        of={versions}
        loading={<SkeletonList count={3} className="h-28" />}
        errorTitle="Failed to load the changes"
        empty={
          !publishing && (
            <EmptyState
              title="No changes yet"
              hint="Describe what each new version changes, and which bugs and feedback it addresses. We will ask the testers who reported them to retest, and the report will include the changes."
              icon={<History aria-hidden />}
              action={isOwner && begin}
            />
          )
        }
      >
        {loaded => (
          <>
            {isOwner && !publishing && loaded.length > 0 && <div>{begin}</div>}
            <Versions of={loaded} {...(isOwner && { onCorrect: setCorrected })} />
          </>
        )}
      </Query>
      {corrected && (
        <Suspense>
          <CorrectDialog change={corrected} onClose={() => setCorrected(null)} />
        </Suspense>
      )}
    </div>
  )
}
