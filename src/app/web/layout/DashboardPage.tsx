import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import type { Role } from '../../roles.ts'
import { useUser } from '../auth.tsx'
import { paths } from '../paths.ts'
import { Badge } from '../ui/Badge.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { roleWords } from './navigation.ts'

type QuickAction = { label: string; hint: string; to: string }

const quickActions: Record<Role, QuickAction[]> = {
  DEVELOPER: [
    { label: 'Create campaign', hint: 'Say what to test, for how long, and what it pays.', to: paths.campaignCreate },
    { label: 'My campaigns', hint: 'See who joined, and review what they hand in.', to: paths.campaigns },
    { label: 'Payments', hint: 'What you paid in, and what came back.', to: paths.payments },
  ],
  TESTER: [
    { label: 'Browse campaigns', hint: 'Find an app that fits your device.', to: paths.campaigns },
    { label: 'My tests', hint: 'Check in for today, and hand in your proof.', to: paths.myTests },
    { label: 'View balance', hint: 'What you earned, and how to withdraw it.', to: paths.balance },
  ],
  ADMIN: [
    {
      label: 'Review campaigns',
      hint: 'Approve what waits, or send it back with a reason.',
      to: paths.campaignsPending,
    },
    { label: 'All campaigns', hint: 'Every campaign on the platform, in any state.', to: paths.campaigns },
  ],
}

export const DashboardPage = () => {
  const { name, role } = useUser()
  return (
    <>
      <PageHeader
        title={`Welcome, ${name}`}
        documentTitle="Dashboard"
        badge={<Badge tone={roleWords[role].tone}>{roleWords[role].label}</Badge>}
      />
      <h2 className="mb-3 text-base font-semibold">Quick actions</h2>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {quickActions[role].map(action => (
          <li key={action.label}>
            <Link
              to={action.to}
              className="group flex h-full items-start gap-3 rounded-xl border bg-card p-5 shadow-card transition-colors hover:border-input"
            >
              <span className="min-w-0 flex-1">
                <span className="block text-base font-semibold">{action.label}</span>
                <span className="text-muted-foreground">{action.hint}</span>
              </span>
              <ArrowRight
                aria-hidden
                className="mt-1 size-4 shrink-0 text-muted-foreground transition-transform group-hover:translate-x-0.5"
              />
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
