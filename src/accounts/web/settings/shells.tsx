/** The first cards of the settings before their code has loaded (src/app/web/screenShells.tsx). */
import type { Role } from '../../../kit/roles.ts'
import { Card } from '../../../kit/web/ui/Card.tsx'
import { FieldShell, FormShell } from '../../../kit/web/ui/FormShell.tsx'
import { Skeleton } from '../../../kit/web/ui/States.tsx'
import { EmailFrame } from './EmailFrame.tsx'
import { profileHints, profileLabels, saveProfile } from './profileWords.ts'

export const SettingsShell = ({ role }: { role: Role }) => {
  const hints = profileHints(role)
  return (
    <div className="grid gap-5">
      <Card title="Profile">
        <FormShell submitLabel={saveProfile} disabled>
          <div className="grid gap-5 sm:grid-cols-2">
            <FieldShell label={profileLabels.name} />
            <FieldShell label={profileLabels.country} hint={hints.country} />
            <FieldShell label={profileLabels.timeZone} hint={hints.timeZone} />
          </div>
        </FormShell>
      </Card>
      <EmailFrame disabled>
        <Skeleton className="h-6 w-56" />
      </EmailFrame>
      <Skeleton className="h-40 rounded-xl" />
    </div>
  )
}
