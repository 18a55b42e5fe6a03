import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { StatCard } from '../../kit/web/ui/Card.tsx'
import { Skeleton } from '../../kit/web/ui/States.tsx'

export type Figure = {
  label: string
  value: ReactNode
  caption?: ReactNode
  icon: LucideIcon
  /** The screen with what the figure counts. */
  to?: string
}

const grid = 'grid grid-cols-2 gap-3 lg:grid-cols-4'

/** The four cards at the top of a dashboard. */
export const FigureCards = ({ figures }: { figures: readonly Figure[] }) => (
  <ul className={grid}>
    {figures.map(figure => (
      <li key={figure.label} className="grid min-w-0">
        <FigureCard of={figure} />
      </li>
    ))}
  </ul>
)

/** One line each, leaving out undefined ones. */
export const Lines = ({ lines }: { lines: readonly (string | undefined)[] }) => (
  <span className="grid gap-0.5">{lines.map(line => line !== undefined && <span key={line}>{line}</span>)}</span>
)

const FigureCard = ({ of: { label, value, caption, icon: Icon, to } }: { of: Figure }) => {
  const card = (
    <StatCard label={label} value={value} caption={caption} icon={<Icon aria-hidden className="max-sm:hidden" />} />
  )
  if (!to) return card
  return (
    <Link to={to} className="grid rounded-xl transition-shadow hover:shadow-raised">
      {card}
    </Link>
  )
}

export const FigureCardsSkeleton = () => (
  <output className={grid}>
    <span className="sr-only">Loading</span>
    {Array.from({ length: 4 }, (_, index) => (
      <Skeleton key={index} className="h-26 rounded-xl" />
    ))}
  </output>
)
