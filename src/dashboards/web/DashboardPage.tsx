import { type ComponentType, Suspense, lazy } from 'react'
import type { Role } from '../../kit/roles.ts'
import { useUser } from '../../kit/web/user.ts'
import { roleWords } from '../../kit/web/roleWords.ts'
import { session } from '../../kit/web/session.ts'
import { Badge } from '../../kit/web/ui/Badge.tsx'
import { PageHeader } from '../../kit/web/ui/PageHeader.tsx'
import { DashboardSkeleton } from './DashboardSkeleton.tsx'

const loaders: Record<Role, () => Promise<{ default: ComponentType }>> = {
  DEVELOPER: async () => ({ default: (await import('./DeveloperDashboard.tsx')).DeveloperDashboard }),
  TESTER: async () => ({ default: (await import('./TesterDashboard.tsx')).TesterDashboard }),
  ADMIN: async () => ({ default: (await import('./AdminDashboard.tsx')).AdminDashboard }),
}

const dashboards: Record<Role, ComponentType> = {
  DEVELOPER: lazy(loaders.DEVELOPER),
  TESTER: lazy(loaders.TESTER),
  ADMIN: lazy(loaders.ADMIN),
}

// Preloads while the header renders. If this fails, the screen retries and shows the error.
const role = session.user()?.role
if (role) loaders[role]().catch(() => undefined)

export const DashboardPage = () => {
  const user = useUser()
  const Dashboard = dashboards[user.role]
  return (
    <>
      <PageHeader
        title={`Welcome, ${user.name}`}
        documentTitle="Dashboard"
        badge={<Badge tone={roleWords[user.role].tone}>{roleWords[user.role].label}</Badge>}
      />
      <div className="grid gap-6">
        <Suspense fallback={<DashboardSkeleton />}>
          <Dashboard />
        </Suspense>
      </div>
    </>
  )
}
