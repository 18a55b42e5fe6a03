import { clsx } from 'clsx'
import type { Instant } from '../../kit/clock.ts'
import type { Continuity, TesterRun } from '../contract.ts'
import { type Axis, barOf, percentAt } from './timeline.ts'

/** A run that began a minute ago can still be seen. */
const span = (from: number, to: number) => ({ left: `${from}%`, width: `max(3px, ${to - from}%)` })

export const RunBar = ({
  tester,
  clock,
  axis,
  now,
}: {
  tester: TesterRun
  clock: Continuity
  axis: Axis
  now: Instant
}) => {
  const bar = barOf(tester, axis, clock.requiredDays, now)
  const done = clsx(
    'absolute inset-y-0 rounded-full',
    tester.counts ? 'bg-primary' : 'bg-[repeating-linear-gradient(135deg,var(--input)_0_4px,transparent_4px_8px)]',
  )
  return (
    <div aria-hidden className="relative h-3 overflow-hidden rounded-full bg-muted">
      {bar && bar.complete > bar.to && (
        <span className="absolute inset-y-0 rounded-full bg-primary/20" style={span(bar.from, bar.complete)} />
      )}
      {bar && <span className={done} style={span(bar.from, bar.to)} />}
      <Mark at={percentAt(axis, now)} look="bg-foreground" />
      {clock.earliestAt !== null && clock.earliestAt > now && (
        <Mark at={percentAt(axis, clock.earliestAt)} look="bg-highlight" />
      )}
    </div>
  )
}

const Mark = ({ at, look }: { at: number; look: string }) => (
  <span
    className={clsx('absolute inset-y-0 w-0.5 -translate-x-px', look)}
    style={{ left: `clamp(1px, ${at}%, calc(100% - 1px))` }}
  />
)
