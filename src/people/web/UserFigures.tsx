import { Code, FlaskConical, UserCheck, Users } from 'lucide-react'
import { percentOf } from '../../kit/money.ts'
import { StatCard } from '../../kit/web/ui/Card.tsx'
import type { UserCounts } from '../contract.ts'
import { grouped } from '../../kit/words.ts'

const shown = (count: number | undefined) => (count === undefined ? '–' : grouped(count))

/** Keeps a line free until the figures have loaded, so nothing below it moves. */
const later = '\u00a0'

export const UserFigures = ({ of: counts }: { of: UserCounts | undefined }) => {
  const share = (part: keyof UserCounts) => (counts ? `${percentOf(counts[part], counts.total)}% of total` : later)
  return (
    <div className="mb-5 grid grid-cols-2 gap-3 lg:grid-cols-4">
      <StatCard
        label="Total Users"
        value={shown(counts?.total)}
        caption={counts ? counts.newThisMonth > 0 && `+${shown(counts.newThisMonth)} from last month` : later}
        icon={<Users aria-hidden />}
      />
      <StatCard
        label="Active Users"
        value={shown(counts?.active)}
        caption={share('active')}
        icon={<UserCheck aria-hidden />}
      />
      <StatCard
        label="Developers"
        value={shown(counts?.developers)}
        caption={share('developers')}
        icon={<Code aria-hidden />}
      />
      <StatCard
        label="Testers"
        value={shown(counts?.testers)}
        caption={share('testers')}
        icon={<FlaskConical aria-hidden />}
      />
    </div>
  )
}
