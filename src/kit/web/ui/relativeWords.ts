import { type Instant, hoursBetween } from '../../clock.ts'
import { once } from '../../once.ts'

const relative = once(() => new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }))
const dateOnly = once(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }))

/** What is left is rounded up, so that a fresh 72 hours are 3 days; below three days it is said in hours, closer to the end. */
const ahead = (hours: number) => {
  const minutes = Math.ceil(hours * 60)
  if (minutes < 60) return relative().format(minutes, 'minute')
  const whole = Math.ceil(hours)
  return whole < 72 ? relative().format(whole, 'hour') : relative().format(Math.ceil(hours / 24), 'day')
}

/** What has passed counts in full units: 47 hours ago was yesterday. */
const ago = (hours: number) => {
  if (hours < 1) return relative().format(-Math.floor(hours * 60), 'minute')
  if (hours < 24) return relative().format(-Math.floor(hours), 'hour')
  return relative().format(-Math.floor(hours / 24), 'day')
}

/** Whether it is near enough for words; a date otherwise. */
export const isRelative = (now: Instant, at: Instant): boolean => Math.abs(hoursBetween(now, at)) <= 24 * 45

/** "3 hours ago", "in 2 days"; a date from 45 days on. */
export const relativeWords = (now: Instant, at: Instant): string => {
  const hours = hoursBetween(now, at)
  const size = Math.abs(hours)
  if (size < 1 / 60) return 'just now'
  if (!isRelative(now, at)) return dateOnly().format(Date.parse(at))
  return hours > 0 ? ahead(hours) : ago(size)
}
