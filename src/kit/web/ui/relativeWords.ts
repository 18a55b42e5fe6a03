import { type Instant, hoursBetween } from '../../clock.ts'
import { once } from '../../once.ts'

const relative = once(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }))

/** "Nov 21, 2026", in the reader's time zone. */
export const dateOnly = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }))

export const exact = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }))

const dayOf = (at: Instant) => new Date(at).setHours(0, 0, 0, 0)

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
  if (!isRelative(now, at)) return dateOnly().format(Date.parse(at))
  const minutes = Math.ceil(hours * 60)
  if (Math.abs(minutes) < 60) return relative().format(minutes, 'minute')
  const whole = Math.ceil(hours)
  if (whole > -24 && whole < 72) return relative().format(whole, 'hour')
  const days = calendarDays(now, at)
  return relative().format(hours > 0 ? Math.max(days, 3) : Math.min(days, -1), 'day')
}
