/** Answers as a screen holds them: every one a text or a list of texts, so that a draft of them can be stored. */
import type { Answers, Question } from './contract.ts'

export type WrittenAnswer = string | string[]
export type WrittenAnswers = Record<string, WrittenAnswer>

/** One for each question, empty where nothing was answered. */
export const writtenOf = (questions: readonly Question[], answers: Answers | null): WrittenAnswers =>
  Object.fromEntries(
    questions.map(({ id, kind }) => {
      const answer = answers?.[id]
      if (kind === 'MULTIPLE_CHOICE') return [id, Array.isArray(answer) ? answer : []]
      return [id, answer === undefined || Array.isArray(answer) ? '' : String(answer)]
    }),
  )

/** As they are sent; without those that are empty. */
export const answersIn = (questions: readonly Question[], written: WrittenAnswers): Answers =>
  Object.fromEntries(
    questions.flatMap(({ id, kind }): [string, Answers[string]][] => {
      const answer = written[id]
      if (answer === undefined || answer.length === 0) return []
      if (typeof answer !== 'string') return [[id, answer]]
      if (answer.trim() === '') return []
      return [[id, kind === 'RATING' ? Number(answer) : answer]]
    }),
  )
