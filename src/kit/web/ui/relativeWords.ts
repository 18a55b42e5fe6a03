import { type Instant, hoursBetween } from '../../clock.ts'
import { once } from '../../once.ts'

const relative = once(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }))
const dateOnly = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }))

/** The number of the calendar day in the reader's time zone, as a date shown next to the words has it. */
const dayNumber = (at: Instant) => {
  const local = new Date(at)
  return Date.UTC(local.getFullYear(), local.getMonth(), local.getDate()) / 86_400_000
}

const daysBetween = (now: Instant, at: Instant) => Math.abs(dayNumber(at) - dayNumber(now))

/** What is left is rounded up, so that a fresh 72 hours are 3 days; below that it is said in hours, closer to the end. */
const ahead = (now: Instant, at: Instant) => {
  const hours = hoursBetween(now, at)
  const minutes = Math.ceil(hours * 60)
  if (minutes < 60) return relative().format(minutes, 'minute')
  const whole = Math.ceil(hours)
  return whole < 72 ? relative().format(whole, 'hour') : relative().format(Math.max(daysBetween(now, at), 3), 'day')
}

/** What has passed counts in full units, and from a day on in calendar days: 47 hours ago is seldom yesterday. */
const ago = (now: Instant, at: Instant) => {
  const hours = hoursBetween(at, now)
  if (hours < 1) return relative().format(-Math.floor(hours * 60), 'minute')
  if (hours < 24) return relative().format(-Math.floor(hours), 'hour')
  return relative().format(-Math.max(daysBetween(now, at), 1), 'day')
}

/** Whether it is near enough for words; a date otherwise. */
export const isRelative = (now: Instant, at: Instant): boolean => Math.abs(hoursBetween(now, at)) <= 24 * 45

/** "3 hours ago", "in 2 days"; a date from 45 days on. */
export const relativeWords = (now: Instant, at: Instant): string => {
  const hours = hoursBetween(now, at)
  if (Math.abs(hours) < 1 / 60) return 'just now'
  if (!isRelative(now, at)) return dateOnly().format(Date.parse(at))
  return hours > 0 ? ahead(now, at) : ago(now, at)
}
