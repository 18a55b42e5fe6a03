import { useQuery } from '@tanstack/react-query'
import { CircleCheckBig, Flag, ShieldAlert, TriangleAlert } from 'lucide-react'
import { StatCard } from '../../kit/web/ui/Card.tsx'
import { FailureLine } from '../../kit/web/ui/Query.tsx'
import { counted, grouped } from '../../kit/words.ts'
import { statsQuery } from './calls.ts'

const shown = (count: number | undefined) => (count === undefined ? '–' : grouped(count))

/** Loaded separately from the list, which still works if the figures fail. */
export const FraudCards = () => {
  const query = useQuery(statsQuery)
  const { data: stats } = query
  const samples = stats && stats.samples > 0 ? `, ${counted(stats.samples, 'sample')}` : ''
  return (
    <>
      <FailureLine of={query} title="Failed to load the figures" />
      <div className="mb-5 grid grid-cols-2 gap-3 lg:grid-cols-4">
        <StatCard
          label="Total Reports"
          value={shown(stats?.total)}
          caption={stats && `${shown(stats.byStatus.OPEN)} open${samples}`}
          icon={<Flag aria-hidden />}
        />
        <StatCard
          label="Critical Reports"
          value={shown(stats?.bySeverity.CRITICAL)}
          caption="Critical severity"
          icon={<ShieldAlert aria-hidden />}
        />
        <StatCard
          label="High Priority"
          value={shown(stats?.bySeverity.HIGH)}
          caption="High severity"
          icon={<TriangleAlert aria-hidden />}
        />
        <StatCard
          label="Resolved"
          value={shown(stats?.resolved)}
          caption={stats && `${stats.resolutionPercent}% of total, ${shown(stats.byStatus.DISMISSED)} dismissed`}
          icon={<CircleCheckBig aria-hidden />}
        />
      </div>
    </>
  )
}
