import { expect, test } from 'vitest'
import type { Question } from '../contract.ts'
import { blankQuestion, draftedOf, type Drafted, moved, without } from './drafted.ts'

test('a saved form is edited as it is, with empty fields where a rating’s ends have no meaning', () => {
  const rating: Question = {
    id: 'r',
    kind: 'RATING',
    text: 'How fast?',
    required: false,
    options: [],
    low: 'Slow',
    high: null,
    sus: null,
  }
  const questions = [rating, { ...rating, id: 's', low: null, high: 'Fast' }]
  expect(draftedOf({ version: 2, questions, savedAt: null, answered: 0, joined: 0 })).toEqual({
    questions: [
      { ...rating, high: '' },
      { ...rating, id: 's', low: '', high: 'Fast' },
    ],
  })
})

test.each([
  [0, 2, 'bcad'],
  [3, 1, 'adbc'],
  [1, 1, 'abcd'],
  [0, 3, 'bcda'],
])('the question at %i is moved to %i, and the others keep their order', (from, to, order) => {
  const before = ['a', 'b', 'c', 'd']
  expect(moved(before, from, to).join('')).toBe(order)
  expect(before.join('')).toBe('abcd')
})

const question = (text: string, sus?: number | null): Drafted => ({ ...blankQuestion, text, sus })
const questions = [question('a', null), question('first', 1), question('b'), question('second', 2)]
test.each([
  [0, ['first', 'b', 'second']],
  [2, ['a', 'first', 'second']],
  [1, ['a', 'b']],
  [3, ['a', 'b']],
  [4, ['a', 'first', 'b', 'second']],
])(
  'removing the question at %i removes the whole scale if it is part of it, otherwise only the question',
  (index, left) => {
    expect(without(questions, index).map(({ text }) => text)).toEqual(left)
  },
)
