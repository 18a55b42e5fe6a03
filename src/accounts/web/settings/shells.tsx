/** The first cards of the settings before their code has loaded (src/app/web/screenShells.tsx). */
import type { Role } from '../../../kit/roles.ts'
import { Card } from '../../../kit/web/ui/Card.tsx'
import { Skeleton } from '../../../kit/web/ui/States.tsx'
import { EmailFrame } from './EmailFrame.tsx'
import { ProfileShell } from './ProfileShell.tsx'

export const SettingsShell = ({ role }: { role: Role }) => (
  <div className="grid gap-5">
    <Card title="Profile">
      <ProfileShell role={role} />
    </Card>
    <EmailFrame disabled>
      <Skeleton className="h-6 w-56" />
    </EmailFrame>
    <Skeleton className="h-40 rounded-xl" />
  </div>
)
