/** Limits of NDAs. No schemas: a first screen that imports them must not load zod. */
export const ndaLimits = { text: 20_000, name: 120, versions: 50, exportsPerHour: 30 } as const

/** What the tester is told before typing the name; the export gives what it says. */
export const acceptanceNotice =
  'Your name, the time and your IP address are recorded with your acceptance. The developer sees your alias, the version and the time, and gets your name only in an export that is recorded in the audit log. Only you and our admins can see your IP address.'
