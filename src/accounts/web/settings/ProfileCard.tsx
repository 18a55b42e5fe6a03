import { Suspense, lazy } from 'react'
import { Card } from '../../../kit/web/ui/Card.tsx'
import { Query } from '../../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../../kit/web/ui/States.tsx'
import { useMe } from '../face.tsx'

const ProfileForm = lazy(async () => ({ default: (await import('./ProfileForm.tsx')).ProfileForm }))

const waiting = <Skeleton className="h-56" />

export const ProfileCard = () => {
  const me = useMe()
  return (
    <Card title="Profile">
      <Query of={me} loading={waiting} errorTitle="Failed to load your profile">
        {user => (
          <Suspense fallback={waiting}>
            <ProfileForm key={`${user.name} ${user.country} ${user.timeZone}`} user={user} />
          </Suspense>
        )}
      </Query>
    </Card>
  )
}
