import { clsx } from 'clsx'
import { Check, Minus, X } from 'lucide-react'
import { useNow } from '../../kit/web/now.ts'
import { Card } from '../../kit/web/ui/Card.tsx'
import { hasTesterList } from '../../campaigns/rules.ts'
import type { CampaignTester } from '../contract.ts'
import { type GridCell, type GridMark, gridDays, gridRow, isOfTest, markWordsAt } from './dayGrid.ts'
import { checkInTime } from './dayTime.ts'
import { dayName } from './days.ts'
import { CheckInDetails, hasDetails } from './CheckInDetails.tsx'

const looks: Record<GridMark, string> = {
  DONE: 'bg-primary text-primary-foreground',
  EXTRA: 'border border-primary text-link',
  MISSED: 'bg-red-tone text-red-tone-foreground',
  SKIPPED: 'border border-input text-muted-foreground',
  TODAY: 'border-2 border-ring',
  AHEAD: '',
  BEFORE: '',
  AFTER: '',
}

const noDaysWords = ({ closedAt, proof, campaign }: CampaignTester) => {
  if (closedAt !== null || proof !== null) return 'No days were counted.'
  return `Your days begin when you ${hasTesterList(campaign.accessMode) ? 'opt in on Google Play' : 'accept the NDA'}.`
}

/** Every day since joining, newest first, with its note. */
export const DayList = ({ of: test }: { of: CampaignTester }) => {
  const now = useNow()
  const running = { startDate: test.joinedAt, running: test.status === 'ACTIVE' }
  const days = gridDays([test], running, now)
  const testDays = gridRow(test, days, now).filter(isOfTest).toReversed()
  return (
    <Card title="Days" description={`Time zone: ${test.timeZone.replaceAll('_', ' ')}`} flush>
      <section
        aria-label="Days, scrollable"
        // A scrolling region must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-112 overflow-y-auto focus-visible:-outline-offset-2"
      >
        {testDays.length === 0 && <p className="px-5 py-4 text-muted-foreground">{noDaysWords(test)}</p>}
        <ol className="divide-y">
          {testDays.map(cell => (
            <Day
              key={cell.day}
              cell={cell}
              time={checkInTime(test, cell.day)}
              checkIn={test.checkIns.find(({ day }) => day === cell.day)}
            />
          ))}
        </ol>
      </section>
    </Card>
  )
}

type DayProps = { cell: GridCell; time: string | null; checkIn: CampaignTester['checkIns'][number] | undefined }

const Day = ({ cell: { day, mark }, time, checkIn }: DayProps) => (
  <li className="flex gap-3 px-5 py-2.5">
    <span
      aria-hidden
      className={clsx('mt-0.5 grid size-5 shrink-0 place-items-center rounded-[5px] [&_svg]:size-3', looks[mark])}
    >
      {(mark === 'DONE' || mark === 'EXTRA') && <Check />}
      {mark === 'MISSED' && <X />}
      {mark === 'SKIPPED' && <Minus />}
    </span>
    <div className="min-w-0 flex-1">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium tabular-nums">{dayName(day)}</span>
        <span className="text-xs text-muted-foreground">{markWordsAt(mark, time)}</span>
      </p>
      {checkIn && hasDetails(checkIn) && <CheckInDetails of={checkIn} />}
    </div>
  </li>
)
