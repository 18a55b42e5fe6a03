/** Sentences of the clock. All days are days in UTC, as the answer's are. */
import { type Day, dayIn, daysAfter, type Instant } from '../../kit/clock.ts'
import { counted } from '../../kit/words.ts'
import type { Continuity, PlayCount, TesterRun } from '../contract.ts'
import type { RunEnding } from '../terms.ts'

const thisYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
const otherYear = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/** "Dec 3", with the year where it is not this one. */
export const dayWords = (day: Day, now: Instant): string =>
  (day.slice(0, 4) === now.slice(0, 4) ? thisYear : otherYear).format(Date.parse(day))

export const endingWords: Record<RunEnding, string> = {
  OPTED_OUT: 'Opted out',
  LEFT: 'Left the test',
  DROPPED: 'Dropped',
  REJECTED: 'Proof rejected',
  CANCELLED: 'Campaign cancelled',
  VOIDED: 'Opt-in found void',
}

type Dates = Pick<Continuity, 'earliestDate' | 'requiredDays'>

/** "Dec 9 instead of Dec 3": what the tester's leaving now would do to the date. */
export const costWords = (tester: TesterRun, { earliestDate, requiredDays }: Dates, now: Instant): string => {
  const { earliestDateWithout } = tester
  if (earliestDate === null) return 'no date either way'
  const date = dayWords(earliestDate, now)
  if (earliestDateWithout === earliestDate) return `the date stays ${date}`
  if (earliestDateWithout !== null) return `${dayWords(earliestDateWithout, now)} instead of ${date}`
  const soonest = dayWords(dayIn('UTC', daysAfter(now, requiredDays)), now)
  return `${soonest} at the earliest instead of ${date}, if a new tester opts in today`
}

/** "1 above 12", "none to spare", "3 short of 12". */
export const bufferWords = ({ buffer, requiredTesters }: Continuity): string => {
  if (buffer === 0) return 'none to spare'
  return buffer > 0 ? `${buffer} above ${requiredTesters}` : `${-buffer} short of ${requiredTesters}`
}

/** What Play Console's number says beside ours, and what usually causes a difference. */
export const differenceWords = ({ count, difference }: PlayCount): { fact: string; cause: string | null } => {
  const here = count - difference
  if (difference === 0) return { fact: `Both say ${count}.`, cause: null }
  const fact = `Play Console showed ${count}, here it was ${here}: ${counted(Math.abs(difference), 'tester')} ${difference > 0 ? 'more' : 'fewer'} there.`
  return difference > 0
    ? {
        fact,
        cause:
          'Usually your own accounts and people you invited yourself are on the list too, or a tester has opted in and not told us yet. Contested runs are not counted here.',
      }
    : {
        fact,
        cause:
          'Usually Play is some hours behind, or a tester opted in with another Google account than the one on your list, or has opted out without telling us. Ask the newest testers first; you can contest a run that you doubt.',
      }
}
