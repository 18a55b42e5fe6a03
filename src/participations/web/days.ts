/**
 * The days of a test, shared by the strip, the table and the grid: `durationDays` calendar days in the tester's time zone,
 * starting when the tester joined, or with the present opt-in if the campaign has a tester list.
 */
import { type Day, type Instant, dayAfter, dayIn, hoursBetween } from '../../kit/clock.ts'
import { counted } from '../../kit/words.ts'
import { hasTesterList } from '../../campaigns/rules.ts'
import type { CampaignTester } from '../contract.ts'
import { checkInsThatCount, counts } from '../rules.ts'
import { once } from '../../kit/once.ts'

/** "8 full days": how long a run has lasted, counted like the fourteen-day clock. */
export const fullDays = (startedAt: Instant, now: Instant): string =>
  counted(Math.max(Math.floor(hoursBetween(startedAt, now) / 24), 0), 'full day')

/** SKIPPED is a day without a check-in where none is required. */
export type DayMark = 'DONE' | 'MISSED' | 'SKIPPED' | 'TODAY' | 'AHEAD'
export type StripDay = { day: Day; mark: DayMark; isToday: boolean }

export type Tested = Pick<CampaignTester, 'begunAt' | 'closedAt' | 'timeZone' | 'checkIns' | 'runs'> & {
  proof: Pick<NonNullable<CampaignTester['proof']>, 'submittedAt'> | null
  campaign: Pick<CampaignTester['campaign'], 'durationDays' | 'dailyCheckIn' | 'accessMode'>
}

/** Calendar days of the tester. `last` is today, or the day of the proof or of the test's end. */
type DaysOfTest = { first: Day; lastCounted: Day; last: Day; over: boolean }

/**
 * When the days began; null while the tester has not accepted the NDA, or is not opted in. An opt-in after the proof does not
 * restart them.
 */
const beginOf = ({ campaign, begunAt, runs }: Tested, end: Instant | null): Instant | null => {
  if (!hasTesterList(campaign.accessMode)) return begunAt
  const run = runs
    .filter(counts)
    .findLast(({ startedAt, endedAt }) => (end === null ? endedAt === null : startedAt <= end))
  return run?.startedAt ?? null
}

/** The days with a check-in that counts. Check-ins of a voided opt-in do not. */
export const daysCheckedIn = ({ checkIns }: Pick<Tested, 'checkIns'>): Set<Day> =>
  new Set(checkInsThatCount(checkIns).map(({ day }) => day))

/**
 * The day on which a test begins is one of its days if the tester checks in on it. Otherwise the days begin with the next day, so
 * that a tester who joins in the evening has not missed a day.
 */
export const daysOf = (test: Tested, now: Instant): DaysOfTest | null => {
  const { timeZone, closedAt, proof, campaign } = test
  const end = proof?.submittedAt ?? closedAt
  const began = beginOf(test, end)
  if (began === null) return null
  const last = dayIn(timeZone, end ?? now)
  const beginning = dayIn(timeZone, began)
  const used = last <= beginning || daysCheckedIn(test).has(beginning)
  const first = used ? beginning : dayAfter(beginning, 1)
  return { first, lastCounted: dayAfter(first, campaign.durationDays - 1), last, over: end !== null }
}

export const isCounted = (day: Day, days: DaysOfTest | null): boolean =>
  days !== null && day >= days.first && day <= days.lastCounted

/** Days after the proof or the end of a test stay AHEAD, and so do all days while the tester is not opted in. */
export const stripOf = (test: Tested, now: Instant): StripDay[] => {
  const { timeZone, campaign } = test
  const days = daysOf(test, now)
  const done = daysCheckedIn(test)
  const markOf = (day: Day): DayMark => {
    if (days === null) return 'AHEAD'
    if (done.has(day)) return 'DONE'
    if (day < days.last) return campaign.dailyCheckIn ? 'MISSED' : 'SKIPPED'
    return day === days.last && !days.over ? 'TODAY' : 'AHEAD'
  }
  const first = days?.first ?? dayIn(timeZone, now)
  return Array.from({ length: campaign.durationDays }, (_, index) => {
    const day = dayAfter(first, index)
    return { day, mark: markOf(day), isToday: days !== null && !days.over && day === days.last }
  })
}

/** How many of a test's days have a check-in. */
export const doneOf = (strip: readonly StripDay[]): number => strip.filter(({ mark }) => mark === 'DONE').length

/** Whether each day of the test has a check-in. False if none are required: then nothing is proved. */
export const withAllDays = (test: Tested, now: Instant): boolean =>
  test.campaign.dailyCheckIn && stripOf(test, now).every(({ mark }) => mark === 'DONE')

/** "9 of 14 days checked in", with those outside the test's days ("and 1 outside them"), and in `detail` which ones were missed. */
export const stripWords = (strip: readonly StripDay[], checkedIn: number): { summary: string; detail: string } => {
  const missed = strip.filter(({ mark }) => mark === 'MISSED').map(({ day }) => dayName(day))
  const done = doneOf(strip)
  const outside = checkedIn > done ? `, and ${checkedIn - done} outside them` : ''
  const summary = `${done} of ${counted(strip.length, 'day')} checked in${outside}`
  return { summary, detail: missed.length === 0 ? summary : `${summary}. Missed: ${missed.join('; ')}` }
}

const dayFormat = once(
  () =>
    new Intl.DateTimeFormat('en-US', {
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      timeZone: 'UTC',
    }),
)

/** "Sat, Nov 21". A calendar day belongs to no time zone, so it is formatted without shifting it. */
export const dayName = (day: Day): string => dayFormat().format(Date.parse(day))
