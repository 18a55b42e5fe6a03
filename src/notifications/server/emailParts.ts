import type { About } from '../about.ts'

/** `about` is null when no screen shows it. */
export type Email = { subject: string; text: string; about: About | null }

const dateTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

export const format = (instant: string): string => `${dateTime.format(Date.parse(instant))} UTC`
