import { ChevronLeft, ChevronRight } from 'lucide-react'
import { clsx } from 'clsx'
import type { Day } from '../../kit/clock.ts'
import { useNow } from '../../kit/web/now.ts'
import { Button } from '../../kit/web/ui/Button.tsx'
import { Dialog } from '../../kit/web/ui/Dialog.tsx'
import type { CampaignTester } from '../contract.ts'
import { CheckInDetails } from './CheckInDetails.tsx'
import { gridDays, gridRow, isOfTest, markWordsAt } from './dayGrid.ts'
import { checkInTime } from './dayTime.ts'
import { dayName } from './days.ts'
import { markLooks, markSigns } from './matrixLooks.ts'

type Props = {
  of: CampaignTester
  day: Day
  onDay: (day: Day) => void
  onTester: () => void
  onClose: () => void
}

/** One of a tester's days: the check-in with its details, and links to the days before and after. */
export const DayDialog = ({ of: tester, day, onDay, onTester, onClose }: Props) => {
  const now = useNow()
  const span = { startDate: tester.joinedAt, running: tester.status === 'ACTIVE' }
  const days = gridRow(tester, gridDays([tester], span, now), now).filter(isOfTest)
  const at = days.findIndex(cell => cell.day === day)
  const { mark } = days[at] ?? gridRow(tester, [day], now)[0]!
  const checkIn = tester.checkIns.find(one => one.day === day)
  const time = checkInTime(tester, day)
  const go = (to: number) => {
    const cell = days[to]
    if (cell) onDay(cell.day)
  }
  return (
    <Dialog open onOpenChange={onClose} title={`${tester.alias}, ${dayName(day)}`}>
      <div className="grid min-h-24 content-start gap-3" aria-live="polite">
        <p className="flex items-center gap-2.5 font-medium">
          <span
            aria-hidden
            className={clsx('grid size-6 shrink-0 place-items-center rounded-[5px] text-xs font-bold', markLooks[mark])}
          >
            {markSigns[mark]}
          </span>
          <span className="inline-block first-letter:uppercase">{markWordsAt(mark, time)}</span>
        </p>
        {checkIn && <CheckInDetails of={checkIn} />}
        <p className="text-xs text-muted-foreground">Time zone: {tester.timeZone.replaceAll('_', ' ')}</p>
      </div>
      <div className="mt-5 flex items-center gap-2">
        <Button variant="outline" size="icon" aria-label="Previous day" disabled={at <= 0} onClick={() => go(at - 1)}>
          <ChevronLeft aria-hidden />
        </Button>
        <Button
          variant="outline"
          size="icon"
          aria-label="Next day"
          disabled={at < 0 || at === days.length - 1}
          onClick={() => go(at + 1)}
        >
          <ChevronRight aria-hidden />
        </Button>
        <Button variant="ghost" className="ml-auto" onClick={onTester}>
          View {tester.alias}
        </Button>
      </div>
    </Dialog>
  )
}
