import type { QuestionKind } from '../terms.ts'

export const kindNames: Record<QuestionKind, string> = {
  RATING: 'Rating from 1 to 5',
  CHOICE: 'Single choice',
  MULTIPLE_CHOICE: 'Multiple choice',
  SHORT_TEXT: 'Short text',
  LONG_TEXT: 'Long text',
}
