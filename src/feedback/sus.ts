/**
 * The System Usability Scale (J. Brooke, "SUS: A quick and dirty usability scale", 1996): ten statements, each answered from 1 to
 * 5, and one score from 0 to 100. The wording is fixed, since otherwise scores could not be compared with others. Only "system" is
 * replaced with "app", which does not affect the score (Bangor, Kortum and Miller, 2008).
 */
export const susStatements = [
  'I think that I would like to use this app frequently.',
  'I found the app unnecessarily complex.',
  'I thought the app was easy to use.',
  'I think that I would need the support of a technical person to be able to use this app.',
  'I found the various functions in this app were well integrated.',
  'I thought there was too much inconsistency in this app.',
  'I would imagine that most people would learn to use this app very quickly.',
  'I found the app very cumbersome to use.',
  'I felt very confident using the app.',
  'I needed to learn a lot of things before I could get going with this app.',
] as const

export const susEnds = { low: 'Strongly disagree', high: 'Strongly agree' } as const

/** Odd statements are positive and count up from 0; even ones are negative and count from the other end. 40 points become 100. */
export const susScore = (answers: readonly number[]): number => {
  if (answers.length !== susStatements.length) throw new Error(`the SUS has ten answers, not ${answers.length}`)
  const points = answers.map((answer, index) => (index % 2 === 0 ? answer - 1 : 5 - answer))
  return points.reduce((sum, point) => sum + point, 0) * 2.5
}
