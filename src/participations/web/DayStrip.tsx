import { clsx } from 'clsx'
import { Check, X } from 'lucide-react'
import { useNow } from '../../kit/web/now.ts'
import type { CampaignTester } from '../contract.ts'
import { type DayMark, type StripDay, dayName, daysCheckedIn, stripOf, stripWords } from './days.ts'
import { isOtherZone } from './otherZone.ts'

const looks: Record<DayMark, string> = {
  DONE: 'bg-primary text-primary-foreground',
  MISSED: 'bg-red-tone text-red-tone-foreground',
  SKIPPED: 'border border-input',
  TODAY: 'border-2 border-ring',
  AHEAD: 'bg-secondary',
}

const words: Record<DayMark, string> = {
  DONE: 'checked in',
  MISSED: 'no check-in',
  SKIPPED: 'no check-in',
  TODAY: 'not checked in yet',
  AHEAD: 'upcoming',
}

/** Rows of equal length: 14 days in one, 30 in two of 15. */
const columnsOf = (days: number, most: number) => Math.ceil(days / Math.ceil(days / most))

/** The days with a check-in. One image for screen readers, a tooltip for each day. */
export const DayStrip = ({ of: test }: { of: CampaignTester }) => {
  const strip = stripOf(test, useNow())
  const { summary, detail } = stripWords(strip, daysCheckedIn(test).size)
  return (
    <figure className="grid gap-2">
      <div
        role="img"
        aria-label={detail}
        style={
          { '--narrow': columnsOf(strip.length, 15), '--wide': columnsOf(strip.length, 30) } as React.CSSProperties
        }
        className="grid grid-cols-[repeat(var(--narrow),minmax(0,1.75rem))] gap-1 sm:grid-cols-[repeat(var(--wide),minmax(0,1.75rem))]"
      >
        {strip.map(day => (
          <Cell key={day.day} day={day} />
        ))}
      </div>
      <figcaption className="text-muted-foreground">
        <span aria-hidden className="tabular-nums">
          {summary}
        </span>
        {isOtherZone(test.timeZone) && <span className="mt-0.5 block text-xs">Days are in the tester’s time zone</span>}
      </figcaption>
    </figure>
  )
}

const Cell = ({ day: { day, mark, isToday } }: { day: StripDay }) => (
  <span
    title={mark === 'AHEAD' ? words[mark] : `${dayName(day)}: ${words[mark]}`}
    className={clsx(
      'grid aspect-square min-w-0 place-items-center rounded-[5px] [&_svg]:size-3/5 [&_svg]:stroke-[2.5]',
      looks[mark],
      isToday && mark === 'DONE' && 'ring-2 ring-ring ring-offset-2 ring-offset-card',
    )}
  >
    {mark === 'DONE' && <Check aria-hidden />}
    {mark === 'MISSED' && <X aria-hidden />}
  </span>
)
