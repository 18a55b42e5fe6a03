/** Enums and limits of bugs. There are no schemas here, so that a screen can import them without loading zod. */

/** Worst first. */
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

/** How many bugs one test may report within 24 hours, and in total. */
export const mostBugsPerDay = 20
export const mostBugsPerTest = 200
export const mostCommentsPerBug = 200
/** How many comments one tester may write on bugs within 24 hours. */
export const mostCommentsPerDay = 100
/** How many comments and decisions one developer may make on bugs within 24 hours. */
export const mostEntriesPerDay = 300
/** The bug's testers are told of each decision. The limit does not apply to admins. */
export const mostDecisionsPerBug = 50
/** Per report, and per comment. */
export const mostBugFiles = 5

/** In characters. */
export const longest = { title: 140, text: 5000, version: 40, note: 2000 } as const

/** Titles with at least this many letters are searched for similar bugs. */
export const fewestSimilarLetters = 4
export const mostSimilar = 5
