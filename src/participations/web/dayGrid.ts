/** The grid of a campaign's testers and days. Each day is counted in that tester's time zone. */
import { type Day, type Instant, dayAfter, dayIn } from '../../kit/clock.ts'
import type { CampaignTester } from '../contract.ts'
import { dayName } from './days.ts'

/** SKIPPED is a day without a check-in where none is required; AFTER begins with the proof or the end of the test. */
export type GridMark = 'DONE' | 'MISSED' | 'SKIPPED' | 'TODAY' | 'BEFORE' | 'AFTER'
export type GridCell = { day: Day; mark: GridMark; note: string | null }

type Tested = Pick<CampaignTester, 'status' | 'joinedAt' | 'closedAt' | 'timeZone' | 'checkIns'> & {
  proof: Pick<NonNullable<CampaignTester['proof']>, 'submittedAt'> | null
  campaign: Pick<CampaignTester['campaign'], 'dailyCheckIn'>
}

type Span = { from: Day; to: Day; open: boolean }

const spanOf = ({ status, joinedAt, closedAt, timeZone, proof }: Tested, now: Instant): Span => ({
  from: dayIn(timeZone, joinedAt),
  to: dayIn(timeZone, proof?.submittedAt ?? closedAt ?? now),
  open: status === 'ACTIVE',
})

const earliest = (days: readonly Day[]) => days.reduce((first, day) => (day < first ? day : first))
const latest = (days: readonly Day[]) => days.reduce((last, day) => (day > last ? day : last))

const daysBetween = (first: Day, last: Day): Day[] => {
  const days: Day[] = []
  for (let day = first; day <= last; day = dayAfter(day, 1)) days.push(day)
  return days
}

type Campaign = { startDate: Instant; running: boolean }

/** The days from the start of the campaign to now, or to its last day of testing. */
export const gridDays = (
  testers: readonly Tested[],
  { startDate, running }: Campaign,
  now: Instant,
  timeZone: string,
): Day[] => {
  const spans = testers.map(tester => spanOf(tester, now))
  const first = dayIn(timeZone, startDate)
  const last = running ? dayIn(timeZone, now) : first
  return daysBetween(
    earliest([first, ...spans.map(({ from }) => from)]),
    latest([last, ...spans.map(({ to }) => to), ...testers.flatMap(({ checkIns }) => checkIns.map(({ day }) => day))]),
  )
}

export const gridRow = (tester: Tested, days: readonly Day[], now: Instant): GridCell[] => {
  const { from, to, open } = spanOf(tester, now)
  const checkIns = new Map(tester.checkIns.map(checkIn => [checkIn.day, checkIn]))
  const markOf = (day: Day): GridMark => {
    if (checkIns.has(day)) return 'DONE'
    if (day < from) return 'BEFORE'
    if (day < to) return tester.campaign.dailyCheckIn ? 'MISSED' : 'SKIPPED'
    return open && day === to ? 'TODAY' : 'AFTER'
  }
  return days.map(day => ({ day, mark: markOf(day), note: checkIns.get(day)?.note ?? null }))
}

export const markWords: Record<GridMark, string> = {
  DONE: 'checked in',
  MISSED: 'no check-in',
  SKIPPED: 'no check-in (optional)',
  TODAY: 'not checked in yet today',
  BEFORE: 'before joining',
  AFTER: 'after the test',
}

export const cellWords = ({ day, mark, note }: GridCell): string =>
  `${dayName(day)}: ${markWords[mark]}${note === null ? '' : `. “${note}”`}`
