import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { startedPart } from '../../kit/web/ui/lazyParts.ts'
import { LimitChangeCard } from './LimitChangeCard.tsx'
import { settingsQuery } from './calls.ts'
import { systemSettingsHead } from './heads.ts'

const SettingsForm = startedPart(async () => (await import('./SettingsForm.tsx')).SettingsForm)

const loadingForm = <Skeleton className="h-96 max-w-2xl rounded-xl" />

export const SystemSettingsPage = () => {
  const settings = useQuery(settingsQuery)
  return (
    <>
      <PageHeader {...systemSettingsHead} />
      <Query of={settings} loading={loadingForm} errorTitle="Failed to load the system settings">
        {({ limitChange, ...current }) => (
          <>
            {limitChange && <LimitChangeCard of={limitChange} />}
            <Suspense fallback={loadingForm}>
              <SettingsForm key={JSON.stringify(current)} settings={current} />
            </Suspense>
          </>
        )}
      </Query>
    </>
  )
}
