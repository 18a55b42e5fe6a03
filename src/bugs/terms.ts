/** Enums and limits of bugs. No schemas: a screen that imports them must not load zod. */

/** The worst first. */
export const bugSeverities = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const
export type BugSeverity = (typeof bugSeverities)[number]

export const bugStatuses = ['OPEN', 'CONFIRMED', 'DUPLICATE', 'FIXED', 'WONT_FIX'] as const
export type BugStatus = (typeof bugStatuses)[number]

export const bugEventKinds = [
  'REPORTED',
  'COMMENTED',
  'CONFIRMED',
  'MARKED_DUPLICATE',
  'FIXED',
  'WONT_FIX',
  'REOPENED',
  'SEVERITY_CHANGED',
  'RETEST_WORKS',
  'RETEST_BROKEN',
] as const
export type BugEventKind = (typeof bugEventKinds)[number]

export const bugActions = [
  'confirm',
  'markDuplicate',
  'markFixed',
  'wontFix',
  'reopen',
  'setSeverity',
  'comment',
  'retest',
] as const
export type BugAction = (typeof bugActions)[number]

export const retestResults = ['WORKS', 'STILL_BROKEN'] as const
export type RetestResult = (typeof retestResults)[number]

export const bugTextForms = ['markdown', 'github'] as const
export type BugTextForm = (typeof bugTextForms)[number]

/** What one test may report within 24 hours, and in all. */
export const mostBugsPerDay = 20
export const mostBugsPerTest = 200
export const mostCommentsPerBug = 200
/** What one tester may write on bugs within 24 hours. */
export const mostCommentsPerDay = 100
/** What one developer may write and decide on bugs within 24 hours. */
export const mostEntriesPerDay = 300
/** Each is told to the bug's testers. Admins may decide after that, too. */
export const mostDecisionsPerBug = 50
/** Of a report, and of a comment. */
export const mostBugFiles = 5

/** Characters. */
export const longest = { title: 140, text: 5000, version: 40, note: 2000 } as const

/** From so many letters on, bugs with a similar title are looked for. */
export const fewestSimilarLetters = 4
export const mostSimilar = 5
