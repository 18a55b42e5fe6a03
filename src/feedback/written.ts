/** Answers while they are edited: each is a text or a list of texts, so that a draft can be stored. */
import type { Answers, Question } from './contract.ts'

export type WrittenAnswer = string | string[]
export type WrittenAnswers = Record<string, WrittenAnswer>

/** One entry for each question, empty if there is no answer. */
export const writtenOf = (questions: readonly Question[], answers: Answers | null): WrittenAnswers =>
  Object.fromEntries(
    questions.map(({ id, kind }) => {
      const answer = answers?.[id]
      if (kind === 'MULTIPLE_CHOICE') return [id, Array.isArray(answer) ? answer : []]
      return [id, answer === undefined || Array.isArray(answer) ? '' : String(answer)]
    }),
  )

/** The answers to send, without empty ones. */
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
