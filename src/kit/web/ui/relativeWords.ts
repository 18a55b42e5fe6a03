import { type Instant, dayIn, hoursBetween, readerZone } from '../../clock.ts'
import { once } from '../../once.ts'

const relative = once(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }))

/** What `dateStyle: 'medium'` and `timeStyle: 'short'` print; those cannot be combined with a zone's name. */
const date = { year: 'numeric', month: 'short', day: 'numeric' } as const
const dateAndTime = { ...date, hour: 'numeric', minute: '2-digit' } as const

const formatsOf = (timeZone?: string) => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    once(() => new Intl.DateTimeFormat('en-US', { timeZone, ...options }))
  return {
    timeZone,
    date: format(date),
    dateNamed: format({ ...date, timeZoneName: 'short' }),
    time: format(dateAndTime),
    timeNamed: format({ ...dateAndTime, timeZoneName: 'short' }),
  }
}

const ofBrowser = formatsOf()
let ofReader = ofBrowser

/**
 * Times are shown in the zone of the reader's profile, as in emails and the server's sentences; if that is unknown, in the
 * browser's.
 */
const formats = () => {
  const timeZone = readerZone()
  if (timeZone !== ofReader.timeZone) ofReader = formatsOf(timeZone)
  return ofReader
}

const inReaderZone = (at: Instant, what: 'date' | 'time'): string => {
  const [ms, told] = [Date.parse(at), formats()]
  const words = told[what]().format(ms)
  return words === ofBrowser[what]().format(ms) ? words : told[`${what}Named`]().format(ms)
}

/** "Nov 21, 2026" in the reader's time zone, which is named if it is another day by the browser's clock. */
export const dateOnly = (at: Instant): string => inReaderZone(at, 'date')

/** "Nov 21, 2026, 4:18 PM" in the reader's time zone, which is named if the browser's clock shows another time. */
export const exact = (at: Instant): string => inReaderZone(at, 'time')

const dayOf = (at: Instant) => Date.parse(dayIn(readerZone(), at))

/** Days between the dates as they are shown. */
const calendarDays = (now: Instant, at: Instant) => (dayOf(at) - dayOf(now)) / 86_400_000

/** Whether it is near enough for words; otherwise a date is shown. */
export const isRelative = (now: Instant, at: Instant): boolean => Math.abs(hoursBetween(now, at)) <= 24 * 45

/**
 * "3 hours ago", "in 2 days"; a date beyond 45 days. Remaining time is rounded up, so a fresh 72 hours are 3 days, and past time
 * is rounded down. From 72 hours ahead and from 24 hours ago on, days are calendar days, because 47 hours ago is seldom
 * yesterday.
 */
export const relativeWords = (now: Instant, at: Instant): string => {
  const hours = hoursBetween(now, at)
  if (Math.abs(hours) < 1 / 60) return 'just now'
  if (!isRelative(now, at)) return dateOnly(at)
  const minutes = Math.ceil(hours * 60)
  if (Math.abs(minutes) < 60) return relative().format(minutes, 'minute')
  const whole = Math.ceil(hours)
  if (whole > -24 && whole < 72) return relative().format(whole, 'hour')
  const days = calendarDays(now, at)
  return relative().format(hours > 0 ? Math.max(days, 3) : Math.min(days, -1), 'day')
}
