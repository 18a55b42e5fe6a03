/** PostgreSQL's timestamps as instants (clock.ts): `2026-11-21 06:16:59.123456+00` is `2026-11-21T06:16:59.123Z`. */
import type { Instant } from '../clock.ts'

/**
 * A list of 20 campaigns has a hundred of them, so a timestamp in UTC is rearranged as text, without a Date that would only be
 * printed again. Digits below the millisecond are cut off, as a Date does.
 */
export const asInstant = (text: string): Instant => {
  if (!isInUtc(text)) return throughDate(text)
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`
  // `.1` is a tenth of a second, and a whole second has no point.
  return text.length === 22 ? `${seconds}.000Z` : `${seconds}.${text.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z`
}

/** PostgreSQL pads everything, so positions tell the form; only years beyond 9999 are longer. */
const isInUtc = (text: string) =>
  text[4] === '-' &&
  text[7] === '-' &&
  text[10] === ' ' &&
  text.endsWith('+00') &&
  (text.length === 22 || (text[19] === '.' && text.length > 23 && text.length < 30))

const timestamp = /^(\d{4,6})(-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?([+-]\d\d)(?::(\d\d))?$/

/**
 * For servers with another time zone, and for years of more than four digits. Throws for what is no Date, such as infinity or a
 * year BC.
 */
const throughDate = (text: string): Instant => {
  const parts = timestamp.exec(text)
  if (!parts) throw new RangeError(`${text} is not an instant`)
  const [, year = '', day, time, fraction = '', hours, minutes = '00'] = parts
  const isoYear = year.length > 4 ? `+${year.padStart(6, '0')}` : year
  return new Date(`${isoYear}${day}T${time}${fraction}${hours}:${minutes}`).toISOString()
}
