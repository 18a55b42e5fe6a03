/** Enums and limits of feedback forms. There are no schemas here, so that an initial screen can import them without loading zod. */

export const questionKinds = ['RATING', 'CHOICE', 'MULTIPLE_CHOICE', 'SHORT_TEXT', 'LONG_TEXT'] as const
export type QuestionKind = (typeof questionKinds)[number]

export const formLimits = {
  questions: 20,
  question: 300,
  options: 10,
  minOptions: 2,
  option: 120,
  scaleEnd: 40,
  shortText: 200,
  longText: 2000,
  /** Per campaign. */
  versions: 50,
} as const

/** The possible ratings, worst first. */
export const ratings = [1, 2, 3, 4, 5] as const

export const hasOptions = (kind: QuestionKind): boolean => kind === 'CHOICE' || kind === 'MULTIPLE_CHOICE'
export const hasText = (kind: QuestionKind): boolean => kind === 'SHORT_TEXT' || kind === 'LONG_TEXT'
