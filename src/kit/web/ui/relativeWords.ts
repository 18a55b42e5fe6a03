import { type Instant, hoursBetween, readerZone } from '../../clock.ts'
import { once } from '../../once.ts'

const relative = once(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }))

/** What `dateStyle: 'medium', timeStyle: 'short'` print, which do not go with the name of a zone. */
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

/** Times are told in the zone of the reader's profile, as in emails and sentences of the server; unknown, in the browser's. */
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

/** "Nov 21, 2026" in the reader's time zone, which is named where it is another day by the browser's clock. */
export const dateOnly = (at: Instant): string => inReaderZone(at, 'date')

/** "Nov 21, 2026, 4:18 PM" in the reader's time zone, which is named where the browser's clock reads something else. */
export const exact = (at: Instant): string => inReaderZone(at, 'time')

const dayOf = (at: Instant) => Date.parse(formats().date().format(Date.parse(at)))

/** As the date next to the words has it. To the nearest, since a day on which the clocks change is an hour longer or shorter. */
const calendarDays = (now: Instant, at: Instant) => Math.floor((dayOf(at) - dayOf(now)) / 86_400_000 + 0.5)

/** Whether it is near enough for words; a date otherwise. */
export const isRelative = (now: Instant, at: Instant): boolean => Math.abs(hoursBetween(now, at)) <= 24 * 45

/**
 * "3 hours ago", "in 2 days"; a date from 45 days on. What is left is rounded up, so that a fresh 72 hours are 3 days, and what
 * has passed is rounded down; days, from 72 hours ahead and 24 hours ago on, are calendar days: 47 hours ago is seldom yesterday.
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
