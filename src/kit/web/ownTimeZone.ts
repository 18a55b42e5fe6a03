import { isTimeZone } from '../clock.ts'

/** The browser's; null where it knows no name for it, only an offset or nothing. */
export const ownTimeZone = (): string | null => {
  // "Etc/Unknown", or undefined, whatever the type says.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string }
  return timeZone !== undefined && isTimeZone(timeZone) ? timeZone : null
}
