/** The days of a test as the strip shows them: one for each day of its duration, in the tester's time zone. */
import { type Day, type Instant, dayAfter, dayIn } from '../../kit/clock.ts'
import { counted } from '../../kit/words.ts'
import type { CampaignTester } from '../contract.ts'

/** SKIPPED is a day without a check-in where none is required. */
export type DayMark = 'DONE' | 'MISSED' | 'SKIPPED' | 'TODAY' | 'AHEAD'
export type StripDay = { day: Day; mark: DayMark; isToday: boolean }

type Tested = Pick<CampaignTester, 'joinedAt' | 'closedAt' | 'timeZone' | 'checkIns'> & {
  campaign: Pick<CampaignTester['campaign'], 'durationDays' | 'dailyCheckIn'>
}

/** Days after the test was closed stay AHEAD. */
export const stripOf = ({ joinedAt, closedAt, timeZone, checkIns, campaign }: Tested, now: Instant): StripDay[] => {
  const first = dayIn(timeZone, joinedAt)
  const today = dayIn(timeZone, now)
  const last = closedAt === null ? today : dayIn(timeZone, closedAt)
  const done = new Set(checkIns.map(({ day }) => day))
  const markOf = (day: Day): DayMark => {
    if (done.has(day)) return 'DONE'
    if (day < last) return campaign.dailyCheckIn ? 'MISSED' : 'SKIPPED'
    return day === last && closedAt === null ? 'TODAY' : 'AHEAD'
  }
  return Array.from({ length: campaign.durationDays }, (_, index) => {
    const day = dayAfter(first, index)
    return { day, mark: markOf(day), isToday: closedAt === null && day === today }
  })
}

/** Whether a check-in is there for each day of the test; false where none are asked for, which proves nothing. */
export const withAllDays = (test: Tested, now: Instant): boolean =>
  test.campaign.dailyCheckIn && stripOf(test, now).every(({ mark }) => mark === 'DONE')

/** "9 of 14 days checked in", and in `detail` which ones were missed. */
export const stripWords = (strip: readonly StripDay[]): { summary: string; detail: string } => {
  const done = strip.filter(({ mark }) => mark === 'DONE').length
  const missed = strip.filter(({ mark }) => mark === 'MISSED').map(({ day }) => dayName(day))
  const summary = `${done} of ${counted(strip.length, 'day')} checked in`
  return { summary, detail: missed.length === 0 ? summary : `${summary}. Missed: ${missed.join('; ')}` }
}

const dayFormat = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

/** "Sat, Nov 21". A calendar day is the same everywhere, so it is formatted without a shift of time zone. */
export const dayName = (day: Day): string => dayFormat.format(Date.parse(day))
