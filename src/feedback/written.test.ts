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

test('two kinds of question are answered in words, and two by what is offered', () => {
  expect(questionKinds.filter(hasText)).toEqual(['SHORT_TEXT', 'LONG_TEXT'])
  expect(questionKinds.filter(hasOptions)).toEqual(['CHOICE', 'MULTIPLE_CHOICE'])
})

test('each question has a place to write in, empty where nothing was answered', () => {
  expect(writtenOf(questions, null)).toEqual(empty)
  expect(writtenOf(questions, answers)).toEqual(written)
})

test('an answer of another kind, from before the question changed, is not shown', () => {
  expect(writtenOf(questions, { CHOICE: ['A'], MULTIPLE_CHOICE: 'A' })).toEqual(empty)
})

test('what is written comes back as it was answered, a rating alone as a number', () => {
  expect(answersIn(questions, written)).toEqual(answers)
})

test('what is empty, blank or not there is not sent', () => {
  expect(answersIn(questions, empty)).toEqual({})
  expect(answersIn(questions, { SHORT_TEXT: '  ', LONG_TEXT: '\n' })).toEqual({})
})
