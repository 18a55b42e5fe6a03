import { clsx } from 'clsx'
import { dayIn, type Instant } from '../../kit/clock.ts'
import type { CampaignTester } from '../contract.ts'
import type { GridMark } from './dayGrid.ts'
import { markLooks, markSigns } from './matrixLooks.ts'
import { isOtherZone } from './otherZone.ts'

const legend: { mark: GridMark; label: string }[] = [
  { mark: 'DONE', label: 'Checked in' },
  { mark: 'EXTRA', label: 'Checked in, outside the test’s days' },
  { mark: 'MISSED', label: 'No check-in' },
  { mark: 'SKIPPED', label: 'No check-in' },
  { mark: 'TODAY', label: 'Today' },
  { mark: 'AHEAD', label: 'Not started yet' },
  { mark: 'BEFORE', label: 'Before the first or after the last day' },
]

type Listed = Pick<CampaignTester, 'timeZone' | 'closedAt'> & {
  campaign: Pick<CampaignTester['campaign'], 'dailyCheckIn'>
}

export const MatrixLegend = ({ of: testers, now }: { of: readonly Listed[]; now: Instant }) => {
  const unused = new Set<GridMark>([testers.some(({ campaign }) => campaign.dailyCheckIn) ? 'SKIPPED' : 'MISSED'])
  const todays = testers.filter(({ closedAt }) => closedAt === null).map(({ timeZone }) => dayIn(timeZone, now))
  if (new Set(todays).size < 2) unused.add('AHEAD')
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-2 border-t px-5 py-3 text-xs text-muted-foreground">
      {legend
        .filter(({ mark }) => !unused.has(mark))
        .map(({ mark, label }) => (
          <li key={mark} className="flex items-center gap-2">
            <span
              aria-hidden
              className={clsx(
                'grid size-4 place-items-center rounded-[4px] text-[0.625rem] font-bold',
                markLooks[mark],
              )}
            >
              {markSigns[mark]}
            </span>
            {label}
          </li>
        ))}
      <li className="flex items-center gap-2">
        <span aria-hidden className="size-2 rounded-full bg-highlight" /> Has a note
      </li>
      {testers.some(({ timeZone }) => isOtherZone(timeZone)) && <li>Days are in each tester’s time zone</li>}
    </ul>
  )
}
