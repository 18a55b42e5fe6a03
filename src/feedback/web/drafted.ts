/** The form while it is edited. */
import type { z } from 'zod'
import type { UseFormReturn } from 'react-hook-form'
import type { FeedbackForm, NewForm, NewQuestion } from '../contract.ts'

export type Drafted = z.output<typeof NewQuestion>
export type DraftedForm = { questions: Drafted[] }
export type FormState = UseFormReturn<z.input<typeof NewForm>, unknown, NewForm>

export const blankQuestion: Drafted = { kind: 'RATING', text: '', required: true, options: [], low: '', high: '' }

export const draftedOf = ({ questions }: FeedbackForm): DraftedForm => ({
  questions: questions.map(question => ({ ...question, low: question.low ?? '', high: question.high ?? '' })),
})

/** Returns the list with one question moved to its new place. */
export const moved = <T>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, list[from]!)

/** Removes a question. The ten statements of the SUS are removed together. */
export const without = (questions: readonly Drafted[], index: number): Drafted[] =>
  typeof questions[index]?.sus === 'number'
    ? questions.filter(({ sus }) => typeof sus !== 'number')
    : questions.toSpliced(index, 1)
