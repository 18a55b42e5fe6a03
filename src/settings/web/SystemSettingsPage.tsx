import { useQuery } from '@tanstack/react-query'
import { DialogPlace } from '../../kit/web/ui/DialogPlace.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { Query } from '../../kit/web/ui/Query.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'
import { startedPart } from '../../kit/web/ui/laterPart.ts'
import { LimitChangeCard } from './LimitChangeCard.tsx'
import { settingsQuery } from './calls.ts'
import { systemSettingsHead } from './heads.ts'

const loadingForm = <Skeleton className="h-96 max-w-2xl rounded-xl" />
const SettingsForm = startedPart(async () => (await import('./SettingsForm.tsx')).SettingsForm, loadingForm)

export const SystemSettingsPage = () => {
  const settings = useQuery(settingsQuery)
  return (
    <>
      <PageHeader {...systemSettingsHead} />
      <Query of={settings} loading={loadingForm} errorTitle="Failed to load the system settings">
        {({ limitChange, ...current }) => (
          <DialogPlace>
            {limitChange && <LimitChangeCard of={limitChange} />}
            <SettingsForm settings={current} />
          </DialogPlace>
        )}
      </Query>
    </>
  )
}
