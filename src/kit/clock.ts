/**
 * The only place that reads the time. Rules take `now` as a value; their callers get it from here.
 *
 * Instants are ISO 8601 strings in UTC with milliseconds (`2026-11-21T06:16:59.000Z`) on the wire, in rows and in
 * rules: the server and the page then share one type, and equal instants are equal strings.
 */
export type Instant = string

/** A calendar day, `2026-11-21`, in a given time zone. */
export type Day = string

const hourMs = 3_600_000

let offsetMs = 0

/** Formatted once per millisecond, however many requests begin in it. */
let printed = { ms: Number.NaN, instant: '' }

export const clock = {
  now: (): Instant => {
    const ms = Date.now() + offsetMs
    if (printed.ms !== ms) printed = { ms, instant: new Date(ms).toISOString() }
    return printed.instant
  },
  nowMs: (): number => Date.now() + offsetMs,
  /** Milliseconds ahead of the machine's clock: 0 in production, moved by the test clock and the demo. */
  offsetMs: (): number => offsetMs,
  setOffsetMs: (ms: number): void => {
    offsetMs = ms
  },
}

export const hoursAfter = (instant: Instant, hours: number): Instant =>
  new Date(Date.parse(instant) + hours * hourMs).toISOString()

export const daysAfter = (instant: Instant, days: number): Instant => hoursAfter(instant, days * 24)

/** The same day of another month, or that month's last day: `monthsAfter('2026-03-31T…', -1)` is on 28 February. In UTC. */
export const monthsAfter = (instant: Instant, months: number): Instant => {
  const at = new Date(instant)
  const day = at.getUTCDate()
  at.setUTCDate(1)
  at.setUTCMonth(at.getUTCMonth() + months)
  at.setUTCDate(Math.min(day, new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()))
  return at.toISOString()
}

/** A time of day in UTC, such as that of a nightly job. */
type DailyAt = { hour: number; minute: number }

/** The first such time after `now`. */
export const nextDaily = ({ hour, minute }: DailyAt, now: Instant): Instant => {
  const today = new Date(now)
  today.setUTCHours(hour, minute, 0, 0)
  const at = today.toISOString()
  return at > now ? at : daysAfter(at, 1)
}

/** Hours from `from` to `to`, fractions included; negative if `to` is earlier. */
export const hoursBetween = (from: Instant, to: Instant): number => (Date.parse(to) - Date.parse(from)) / hourMs

export const secondsBetween = (from: Instant, to: Instant): number => (Date.parse(to) - Date.parse(from)) / 1000

/** `2026-11-21T06:16:59.000Z` lies in the hour that starts at `2026-11-21T06:00:00.000Z`. */
export const startOfHour = (instant: Instant): Instant =>
  new Date(Math.floor(Date.parse(instant) / hourMs) * hourMs).toISOString()

/** In every time zone, days begin on a quarter hour. */
export const startOfQuarterHour = (instant: Instant): Instant =>
  new Date(Math.floor(Date.parse(instant) / (hourMs / 4)) * (hourMs / 4)).toISOString()

const dayFormats = new Map<string | undefined, Intl.DateTimeFormat>()

/**
 * Cached, because creating a format takes far longer than using it. Bounded, because each of about 600 zone names can be spelled
 * in many ways.
 */
const dayFormatOf = (timeZone: string | undefined): Intl.DateTimeFormat => {
  const kept = dayFormats.get(timeZone)
  if (kept) return kept
  const made = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  if (dayFormats.size < 1000) dayFormats.set(timeZone, made)
  return made
}

/**
 * The calendar day at an instant in an IANA time zone, or in the browser's. From its parts: no locale writes 2026-02-28 in every
 * browser.
 */
export const dayIn = (timeZone: string | undefined, instant: Instant): Day => {
  const [month, , day, , year] = dayFormatOf(timeZone).formatToParts(Date.parse(instant))
  return `${year!.value}-${month!.value}-${day!.value}`
}

/** `dayAfter('2026-02-28', 1)` is `2026-03-01`. */
export const dayAfter = (day: Day, days: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * hourMs).toISOString().slice(0, 10)

/** The zone's current name: Asia/Tokyo for Japan. Throws if it is not a zone's name. */
export const canonicalTimeZone = (name: string): string =>
  new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone

/** An offset such as +05:30 is not a time zone. */
export const isTimeZone = (name: string): boolean => {
  try {
    return canonicalTimeZone(name) !== '' && !/^[+-]/.test(name)
  } catch {
    return false
  }
}

/** The browser's zone; null if it has no name for it: it then reports an offset, "Etc/Unknown", or nothing. */
export const ownTimeZone = (): string | null => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return /^(?!Etc\/Unknown)[A-Z]/.test(timeZone) ? timeZone : null
}

let profileZone: string | undefined
let uncheckedZone: string | undefined

/** In a browser: the zone in the reader's profile; undefined if nobody is signed in, or the browser does not know the zone. */
export const readerZone = (): string | undefined => {
  if (uncheckedZone !== undefined) {
    profileZone = isTimeZone(uncheckedZone) ? uncheckedZone : undefined
    uncheckedZone = undefined
  }
  return profileZone
}

/** Checked on first use: the check takes a phone 30 ms if it needs the first of the platform's formats (decision 010). */
export const setReaderZone = (timeZone: string | undefined): void => {
  profileZone = undefined
  uncheckedZone = timeZone || undefined
}
