import { clsx } from 'clsx'
import type { GridMark } from './dayGrid.ts'
import { markLooks, markSigns } from './matrixLooks.ts'

const legend: { mark: GridMark; label: string }[] = [
  { mark: 'DONE', label: 'Checked in' },
  { mark: 'EXTRA', label: 'Checked in, outside the test’s days' },
  { mark: 'MISSED', label: 'No check-in' },
  { mark: 'SKIPPED', label: 'No check-in' },
  { mark: 'TODAY', label: 'Today' },
  { mark: 'BEFORE', label: 'Before the first or after the last day' },
]

export const MatrixLegend = ({ daily }: { daily: boolean }) => (
  <ul className="flex flex-wrap gap-x-5 gap-y-2 border-t px-5 py-3 text-xs text-muted-foreground">
    {legend
      .filter(({ mark }) => mark !== (daily ? 'SKIPPED' : 'MISSED'))
      .map(({ mark, label }) => (
        <li key={mark} className="flex items-center gap-2">
          <span
            aria-hidden
            className={clsx('grid size-4 place-items-center rounded-[4px] text-[0.625rem] font-bold', markLooks[mark])}
          >
            {markSigns[mark]}
          </span>
          {label}
        </li>
      ))}
    <li className="flex items-center gap-2">
      <span aria-hidden className="size-2 rounded-full bg-highlight" /> Has a note
    </li>
  </ul>
)
