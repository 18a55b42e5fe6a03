/** The grid of a campaign's testers and days. Each day is counted in that tester's time zone. */
import { type Day, type Instant, dayAfter, dayIn } from '../../kit/clock.ts'
import type { CampaignTester } from '../contract.ts'
import { type Tested as TestedDays, dayName, daysCheckedIn, daysOf, isCounted } from './days.ts'

/**
 * SKIPPED is a day without a check-in where none is required; EXTRA has a check-in, but is none of the test's days;
 * AHEAD has begun for other testers only; AFTER begins with the proof, the end of the test, or the end of its days.
 */
export type GridMark = 'DONE' | 'EXTRA' | 'MISSED' | 'SKIPPED' | 'TODAY' | 'AHEAD' | 'BEFORE' | 'AFTER'
export type GridCell = { day: Day; mark: GridMark; note: string | null }

type Tested = Pick<CampaignTester, 'status' | 'joinedAt'> & TestedDays

type Span = { from: Day; to: Day }

const spanOf = ({ joinedAt, closedAt, timeZone, proof }: Tested, now: Instant): Span => ({
  from: dayIn(timeZone, joinedAt),
  to: dayIn(timeZone, proof?.submittedAt ?? closedAt ?? now),
})

const earliest = (days: readonly Day[]) => days.reduce((first, day) => (day < first ? day : first))
const latest = (days: readonly Day[]) => days.reduce((last, day) => (day > last ? day : last))

const daysBetween = (first: Day, last: Day): Day[] => {
  const days: Day[] = []
  for (let day = first; day <= last; day = dayAfter(day, 1)) days.push(day)
  return days
}

type Campaign = { startDate: Instant; running: boolean }

/** The days from the start of the campaign to now, or to its last day of testing: no day that has begun for none of the testers. */
export const gridDays = (testers: readonly Tested[], { startDate, running }: Campaign, now: Instant): Day[] => {
  const spans = testers.map(tester => spanOf(tester, now))
  const zones = [...new Set(testers.map(({ timeZone }) => timeZone))]
  const starts = zones.map(zone => dayIn(zone, startDate))
  return daysBetween(
    earliest([...starts, ...spans.map(({ from }) => from)]),
    latest([
      running ? earliest(zones.map(zone => dayIn(zone, now))) : earliest(starts),
      ...spans.map(({ to }) => to),
      ...testers.flatMap(({ checkIns }) => checkIns.map(({ day }) => day)),
    ]),
  )
}

export const gridRow = (tester: Tested, days: readonly Day[], now: Instant): GridCell[] => {
  const test = daysOf(tester, now)
  const done = daysCheckedIn(tester)
  const checkIns = new Map(tester.checkIns.map(checkIn => [checkIn.day, checkIn]))
  const markOf = (day: Day): GridMark => {
    if (checkIns.has(day)) return done.has(day) && isCounted(day, test) ? 'DONE' : 'EXTRA'
    if (test === null || day < test.first) return 'BEFORE'
    if (!isCounted(day, test)) return 'AFTER'
    if (day < test.last) return tester.campaign.dailyCheckIn ? 'MISSED' : 'SKIPPED'
    if (tester.status !== 'ACTIVE') return 'AFTER'
    return day === test.last ? 'TODAY' : 'AHEAD'
  }
  return days.map(day => ({ day, mark: markOf(day), note: checkIns.get(day)?.note ?? null }))
}

/** Days on which the tester could, or can, check in: the only ones that open. */
export const isOfTest = ({ mark }: GridCell): boolean => mark !== 'AHEAD' && mark !== 'BEFORE' && mark !== 'AFTER'

/** The same count as in the strip. */
export const daysInRow = (row: readonly GridCell[]): number => row.filter(({ mark }) => mark === 'DONE').length

export const markWords: Record<GridMark, string> = {
  DONE: 'checked in',
  EXTRA: 'checked in, outside the test’s days',
  MISSED: 'no check-in',
  SKIPPED: 'no check-in (optional)',
  TODAY: 'not checked in yet today',
  AHEAD: 'not started yet for this tester',
  BEFORE: 'before the first day',
  AFTER: 'after the last day',
}

/** "checked in at 9:14 PM, outside the test’s days": the time belongs to the check-in, not to what follows it. */
export const markWordsAt = (mark: GridMark, time: string | null): string =>
  time === null ? markWords[mark] : markWords[mark].replace('checked in', `checked in at ${time}`)

export const cellWords = ({ day, mark, note }: GridCell): string =>
  `${dayName(day)}: ${markWords[mark]}${note === null ? '' : `. “${note}”`}`
