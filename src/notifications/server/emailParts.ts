import type { About } from '../about.ts'

/** A button of an email: what it says, and the whole address that it opens. */
export type Button = { label: string; address: string }

/** `about` is null when no screen shows it. `button` is of an email whose whole point is a link, which its text holds too. */
export type Email = { subject: string; text: string; about: About | null; button?: Button }

/** A moment in an email’s text. Whoever reads it sees it in their own time zone (`inZone`). */
export const format = (instant: string): string => `⟨${new Date(instant).toISOString()}⟩`

const inText = /⟨(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)⟩/g

const options = { dateStyle: 'medium', timeStyle: 'short' } as const
const formatters = new Map<string, { dateTime: Intl.DateTimeFormat; name: Intl.DateTimeFormat }>()
const formattersOf = (timeZone: string) => {
  let found = formatters.get(timeZone)
  if (!found) {
    const dateTime = new Intl.DateTimeFormat('en-US', { ...options, timeZone })
    found = { dateTime, name: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' }) }
    formatters.set(timeZone, found)
  }
  return found
}

/** “Mar 1, 2026, 9:00 AM GMT+1”. */
const formatIn = (instant: string, timeZone: string): string => {
  const { dateTime, name } = formattersOf(timeZone)
  const at = Date.parse(instant)
  return `${dateTime.format(at)} ${name.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone}`
}

/** A text with its moments in the reader’s time zone. */
export const inZone = (text: string, timeZone: string): string =>
  text.replaceAll(inText, (_, instant: string) =>
    Number.isNaN(Date.parse(instant)) ? instant : formatIn(instant, timeZone),
  )
