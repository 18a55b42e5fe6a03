/** Limits of NDAs. There are no schemas here, so that an initial screen can import them without loading zod. */
export const ndaLimits = { text: 20_000, name: 120, versions: 50, exportsPerHour: 30 } as const

/** What the tester reads before typing their name; the export contains what it says. */
export const acceptanceNotice =
  'Your name, the time and your IP address are recorded with your acceptance. The developer sees your alias, the version and the time, and gets your name only in an export that is recorded in the audit log. Only you and our admins can see your IP address.'
