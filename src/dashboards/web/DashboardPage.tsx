import type { ComponentType } from 'react'
import type { Role } from '../../app/roles.ts'
import { useUser } from '../../app/web/auth.tsx'
import { roleWords } from '../../app/web/layout/navigation.ts'
import { Badge } from '../../app/web/ui/Badge.tsx'
import { PageHeader } from '../../app/web/ui/PageHeader.tsx'
import { AdminDashboard } from './AdminDashboard.tsx'
import { DeveloperDashboard } from './DeveloperDashboard.tsx'
import { TesterDashboard } from './TesterDashboard.tsx'

const dashboards: Record<Role, ComponentType> = {
  DEVELOPER: DeveloperDashboard,
  TESTER: TesterDashboard,
  ADMIN: AdminDashboard,
}

export const DashboardPage = () => {
  const { name, role } = useUser()
  const Dashboard = dashboards[role]
  return (
    <>
      <PageHeader
        title={`Welcome, ${name}`}
        documentTitle="Dashboard"
        badge={<Badge tone={roleWords[role].tone}>{roleWords[role].label}</Badge>}
      />
      <div className="grid gap-6">
        <Dashboard />
      </div>
    </>
  )
}
