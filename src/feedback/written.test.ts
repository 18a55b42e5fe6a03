/** How a screen stores a form's answers, and which of them it sends. */
import { expect, test } from 'vitest'
import type { Question } from './contract.ts'
import { hasOptions, hasText, questionKinds } from './terms.ts'
import { answersIn, writtenOf } from './written.ts'

const questions = questionKinds.map((kind): Question => ({
  id: kind,
  kind,
  text: 'How?',
  required: false,
  options: [],
  low: null,
  high: null,
  sus: null,
}))
const empty = { RATING: '', SHORT_TEXT: '', LONG_TEXT: '', CHOICE: '', MULTIPLE_CHOICE: [] }
const answers = { RATING: 4, SHORT_TEXT: '4', LONG_TEXT: 'Well.', CHOICE: 'Yes', MULTIPLE_CHOICE: ['A', 'B'] }
const written = { ...answers, RATING: '4' }

test('two kinds of questions are answered in words, and two by choosing an option', () => {
  expect(questionKinds.filter(hasText)).toEqual(['SHORT_TEXT', 'LONG_TEXT'])
  expect(questionKinds.filter(hasOptions)).toEqual(['CHOICE', 'MULTIPLE_CHOICE'])
})

test('each question has an entry, empty if nothing was answered', () => {
  expect(writtenOf(questions, null)).toEqual(empty)
  expect(writtenOf(questions, answers)).toEqual(written)
})

test('an answer of another kind, from before the question changed, is not shown', () => {
  expect(writtenOf(questions, { CHOICE: ['A'], MULTIPLE_CHOICE: 'A' })).toEqual(empty)
})

test('written answers are sent as they were given, and only ratings as numbers', () => {
  expect(answersIn(questions, written)).toEqual(answers)
})

test('empty, blank and missing answers are not sent', () => {
  expect(answersIn(questions, empty)).toEqual({})
  expect(answersIn(questions, { SHORT_TEXT: '  ', LONG_TEXT: '\n' })).toEqual({})
})
