import type { ChosenFigures } from '../../../campaigns/chosenFigures.ts'

/**
 * The registration form, with the role chosen. The address also carries the figures that a new campaign starts with, so that a press
 * counts before this page's script has run; public/shell.js keeps them. Null forgets what was chosen before.
 */
export const registerLink = (account: 'developer' | 'tester', figures?: ChosenFigures | null): string => {
  const link = `/register?role=${account}`
  if (figures === undefined) return link
  return `${link}&testers=${figures?.testersRequired ?? ''}&payCents=${figures?.payPerTesterCents ?? ''}`
}
