import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Cents } from '../../kit/money.ts'
import { StatCard } from '../../kit/web/ui/Card.tsx'
import { Money } from '../../kit/web/ui/Values.tsx'
import { type Lines, type StatementFilter, isShowing, linesAt } from './statementFilter.ts'

/** A sum that links to the lines that add up to it. */
export const FigureLink = ({
  label,
  cents,
  caption,
  lines,
  shown,
}: {
  label: string
  cents: Cents
  caption: ReactNode
  lines: Lines
  /** What the list below shows at present. */
  shown: StatementFilter
}) => {
  const current = shown.at !== null && isShowing(lines, shown)
  return (
    <Link
      to={linesAt(lines)}
      preventScrollReset
      aria-current={current ? 'true' : undefined}
      className={clsx(
        'block rounded-xl [&>div]:h-full hover:[&>div]:border-input',
        current && '[&>div]:border-primary hover:[&>div]:border-primary',
      )}
    >
      <StatCard label={label} value={<Money cents={cents} />} caption={caption} />
    </Link>
  )
}
