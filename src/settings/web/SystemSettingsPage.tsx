import { useQuery } from '@tanstack/react-query'
import { Suspense, lazy } from 'react'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { api } from './calls.ts'

const SettingsForm = lazy(async () => ({ default: (await import('./SettingsForm.tsx')).SettingsForm }))

const waiting = <Skeleton className="h-96 max-w-2xl rounded-xl" />

export const SystemSettingsPage = () => {
  const settings = useQuery({ queryKey: ['admin', 'settings'], queryFn: ({ signal }) => api.settings({ signal }) })
  return (
    <>
      <PageHeader
        title="System Settings"
        description="The fee and the hours apply to new campaigns only: those that exist keep the terms they were created with. The minimum withdrawal applies at once."
      />
      <Query of={settings} loading={waiting} errorTitle="Failed to load the system settings">
        {loaded => (
          <Suspense fallback={waiting}>
            <SettingsForm key={JSON.stringify(loaded)} settings={loaded} />
          </Suspense>
        )}
      </Query>
    </>
  )
}
