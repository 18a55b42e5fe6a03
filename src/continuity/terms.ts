/** Enums and limits of the clock. No schemas: a first screen that imports them must not load zod. */

/** Why a run ended. */
export const runEndings = ['OPTED_OUT', 'LEFT', 'DROPPED', 'REJECTED', 'CANCELLED', 'VOIDED'] as const
export type RunEnding = (typeof runEndings)[number]

/** The most that a number of Play Console can be. */
export const mostPlayTesters = 100_000
