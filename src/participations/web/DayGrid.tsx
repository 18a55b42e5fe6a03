import { clsx } from 'clsx'
import { Check, X } from 'lucide-react'
import { memo } from 'react'
import type { Day, Instant } from '../../kit/clock.ts'
import { counted } from '../../kit/words.ts'
import type { CampaignTester } from '../contract.ts'
import { type GridCell, type GridMark, cellWords, daysInRow, gridDays, gridRow, markWords } from './dayGrid.ts'
import { dayName } from './days.ts'
import { statusLooks } from './statusWords.ts'

const looks: Record<GridMark, string> = {
  DONE: 'bg-primary text-primary-foreground',
  EXTRA: 'border border-primary text-link',
  MISSED: 'bg-red-tone text-red-tone-foreground',
  SKIPPED: 'border border-input',
  TODAY: 'border-2 border-ring',
  BEFORE: 'bg-secondary/50',
  AFTER: 'bg-secondary/50',
}

const { timeZone } = Intl.DateTimeFormat().resolvedOptions()

type Props = {
  title: string
  testers: readonly CampaignTester[]
  startDate: Instant
  /** Whether the days continue until now. */
  running: boolean
  /** To the hour, so that a grid of thousands of cells does not redraw every few seconds. */
  now: Instant
  onOpen: (id: string) => void
}

const sticky = 'sticky left-0 z-10 bg-card'

/** The newest days are what a developer looks for. */
const showNewest = (region: HTMLElement | null) => {
  if (region) region.scrollLeft = region.scrollWidth
}

/** Testers × days. It scrolls sideways inside its card, with the names fixed. */
export const DayGrid = memo(({ title, testers, startDate, running, now, onOpen }: Props) => {
  const days = gridDays(testers, { startDate, running }, now, timeZone)
  return (
    <>
      <section
        ref={showNewest}
        aria-label={`Check-ins for ${title}, scrollable`}
        // A scrolling region must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        // Positioned, or the screen reader texts would overflow it and widen the page.
        className="relative overflow-x-auto focus-visible:-outline-offset-2"
      >
        <table className="w-max min-w-full border-separate border-spacing-0">
          <caption className="sr-only">Daily check-ins by tester for {title}</caption>
          <thead>
            <tr>
              <th
                scope="col"
                className={clsx(
                  sticky,
                  'min-w-32 py-2 pr-4 pl-5 text-left md:min-w-52 align-bottom text-xs font-medium text-muted-foreground',
                )}
              >
                Tester
              </th>
              {days.map((day, index) => (
                <DayHead key={day} day={day} first={index === 0} />
              ))}
              <th
                scope="col"
                className="hidden w-full px-5 py-2 text-right align-bottom md:table-cell text-xs font-medium text-muted-foreground"
              >
                Checked in
              </th>
            </tr>
          </thead>
          <tbody>
            {testers.map(tester => (
              <tr key={tester.id}>
                <th
                  scope="row"
                  className={clsx(sticky, 'border-t py-1.5 pr-4 pl-5 text-left font-medium whitespace-nowrap')}
                >
                  <button type="button" onClick={() => onOpen(tester.id)} className="rounded-sm hover:underline">
                    {tester.alias}
                  </button>
                  <span className="block text-xs font-normal text-muted-foreground">
                    {statusLooks[tester.status].label}
                  </span>
                </th>
                <Cells row={gridRow(tester, days, now)} />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Legend daily={testers.some(({ campaign }) => campaign.dailyCheckIn)} />
    </>
  )
})

const Cells = ({ row }: { row: readonly GridCell[] }) => (
  <>
    {row.map(cell => (
      <Cell key={cell.day} cell={cell} />
    ))}
    <td className="hidden border-t px-5 py-1.5 text-right md:table-cell whitespace-nowrap text-muted-foreground tabular-nums">
      {counted(daysInRow(row), 'day')}
    </td>
  </>
)

const month = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })

const DayHead = ({ day, first }: { day: Day; first: boolean }) => {
  const ofMonth = Number(day.slice(8))
  return (
    <th scope="col" className="px-0.5 pt-2 pb-1 text-center text-xs font-normal text-muted-foreground tabular-nums">
      <span aria-hidden className="block h-4 w-6 whitespace-nowrap text-foreground">
        {(first || ofMonth === 1) && month.format(Date.parse(day))}
      </span>
      <span aria-hidden>{ofMonth}</span>
      <span className="sr-only">{dayName(day)}</span>
    </th>
  )
}

const Cell = ({ cell }: { cell: GridCell }) => {
  const { mark, note } = cell
  const outside = mark === 'BEFORE' || mark === 'AFTER'
  return (
    <td className="border-t px-0.5 py-1.5">
      <span
        data-tip={cellWords(cell)}
        className={clsx(
          'relative mx-auto grid size-6 place-items-center rounded-[5px] [&_svg]:size-3.5 [&_svg]:stroke-[2.5]',
          looks[mark],
          outside && 'opacity-60',
        )}
      >
        {(mark === 'DONE' || mark === 'EXTRA') && <Check aria-hidden />}
        {mark === 'MISSED' && <X aria-hidden />}
        {note !== null && (
          <span
            aria-hidden
            className="absolute -top-0.5 -right-0.5 size-2 rounded-full border border-card bg-highlight"
          />
        )}
        <span className="sr-only">
          {markWords[mark]}
          {note !== null && `: ${note}`}
        </span>
      </span>
    </td>
  )
}

const Legend = ({ daily }: { daily: boolean }) => (
  <ul className="flex flex-wrap gap-x-5 gap-y-2 border-t px-5 py-3 text-xs text-muted-foreground">
    {legend
      .filter(({ mark }) => mark !== (daily ? 'SKIPPED' : 'MISSED'))
      .map(({ mark, label }) => (
        <li key={mark} className="flex items-center gap-2">
          <span
            aria-hidden
            className={clsx(
              'grid size-4 place-items-center rounded-[4px] [&_svg]:size-2.5 [&_svg]:stroke-3',
              looks[mark],
            )}
          >
            {(mark === 'DONE' || mark === 'EXTRA') && <Check />}
            {mark === 'MISSED' && <X />}
          </span>
          {label}
        </li>
      ))}
    <li className="flex items-center gap-2">
      <span aria-hidden className="size-2 rounded-full bg-highlight" /> Has a note
    </li>
  </ul>
)

const legend: { mark: GridMark; label: string }[] = [
  { mark: 'DONE', label: 'Checked in' },
  { mark: 'EXTRA', label: 'Checked in, not one of the days that count' },
  { mark: 'MISSED', label: 'No check-in' },
  { mark: 'SKIPPED', label: 'No check-in' },
  { mark: 'TODAY', label: 'Today' },
  { mark: 'BEFORE', label: 'Before the first or after the last day' },
]
