import type { Role } from '../../../kit/roles.ts'
import { FieldShell, FormShell } from '../../../kit/web/ui/FormShell.tsx'
import { profileHints, profileLabels, saveProfile } from './profileWords.ts'

/** The form of the profile before its code and its values have come. */
export const ProfileShell = ({ role }: { role: Role }) => {
  const hints = profileHints(role)
  return (
    <FormShell submitLabel={saveProfile} disabled>
      <div className="grid gap-5 sm:grid-cols-2">
        <FieldShell label={profileLabels.name} />
        <FieldShell label={profileLabels.country} hint={hints.country} />
        <FieldShell label={profileLabels.timeZone} hint={hints.timeZone} />
      </div>
    </FormShell>
  )
}
