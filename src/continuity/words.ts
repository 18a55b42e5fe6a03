/** The date to apply in words, for the screens and for messages. All days are days in UTC, as the answer's are. */
import { type Day, dayIn, daysAfter, type Instant } from '../kit/clock.ts'
import type { Continuity, TesterRun } from './contract.ts'
import { once } from '../kit/once.ts'

const thisYear = once(() => new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }))
const otherYear = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' }))

/** "Dec 3", with the year where it is not this one. */
export const dayWords = (day: Day, now: Instant): string =>
  (day.slice(0, 4) === now.slice(0, 4) ? thisYear : otherYear)().format(Date.parse(day))

type Dates = Pick<Continuity, 'earliestDate' | 'requiredDays'>

/** The soonest date for whoever is one tester short: the day on which one who opts in now has stayed for all days. */
export const soonestDate = ({ requiredDays }: Pick<Dates, 'requiredDays'>, now: Instant): string =>
  dayWords(dayIn('UTC', daysAfter(now, requiredDays)), now)

/**
 * "the date moves from Dec 3 to Dec 9": what the tester's leaving now would do to the date. `missing`: how many it would be short
 * of, where several leave. `ended`: the campaign, after which nobody joins.
 */
export const costWords = (
  tester: Pick<TesterRun, 'earliestDateWithout'> & { missing?: number },
  dates: Dates,
  now: Instant,
  ended = false,
): string => {
  const { earliestDateWithout, missing = 1 } = tester
  const { earliestDate } = dates
  if (earliestDate === null) return ended ? 'there is no date either way' : 'there is no date yet either way'
  const date = dayWords(earliestDate, now)
  if (earliestDateWithout === earliestDate) return `the date stays ${date}`
  if (earliestDateWithout !== null) return `the date moves from ${date} to ${dayWords(earliestDateWithout, now)}`
  if (ended) return 'nobody can take their place, so there would no longer be a date'
  const others = missing === 1 ? 'a new tester opts in' : `${missing} new testers opt in`
  return `the date moves from ${date} to ${soonestDate(dates, now)} at the earliest, if ${others} today`
}
