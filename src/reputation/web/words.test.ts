import { expect, test } from 'vitest'
import { developerLine, developerWords, testerWords } from './words.ts'

const unknownTester = { testsDone: null, daysKept: null, firstTry: null, seatsLeft: null }
const unknownDeveloper = { testsDone: null, answerTime: null, rejected: null, appealsLost: null }

test('a tester has a sentence for each figure that is known', () => {
  expect(
    testerWords({
      testsDone: 25,
      daysKept: { percent: 95, of: 20 },
      firstTry: { count: 9, of: 10 },
      seatsLeft: { count: 0, of: 5 },
    }),
  ).toEqual([
    '25+ tests done',
    '95% of days kept in the last 20 tests',
    '9 of the last 10 proofs verified on the first try',
    'Left 0 of the last 5 tests before the end',
  ])
  expect(testerWords({ ...unknownTester, testsDone: 0 })).toEqual(['0+ tests done'])
  expect(testerWords(unknownTester)).toEqual([])
})

test('a developer has a sentence for each figure that is known', () => {
  expect(
    developerWords({
      testsDone: 100,
      answerTime: { hours: 1, of: 20 },
      rejected: { count: 2, of: 20 },
      appealsLost: { count: 1, of: 5 },
    }),
  ).toEqual([
    '100+ tests verified and paid',
    'Half of the last 20 proofs answered within 1 hour',
    'Rejected 2 of the last 20 proofs',
    'Lost 1 of the last 5 appeals',
  ])
  expect(developerWords({ ...unknownDeveloper, testsDone: 0 })).toEqual(['0+ tests verified and paid'])
  expect(developerWords(unknownDeveloper)).toEqual([])
})

test('a card has what is known of a developer in one line, and no line without figures', () => {
  const answerTime = { hours: 6, of: 10 }
  const rejected = { count: 0, of: 10 }
  expect(developerLine({ ...unknownDeveloper, answerTime, rejected })).toBe(
    'Usually answers within 6 h · rejected 0 of 10 proofs',
  )
  expect(developerLine({ ...unknownDeveloper, answerTime })).toBe('Usually answers within 6 h')
  expect(developerLine({ ...unknownDeveloper, testsDone: 5 })).toBeNull()
})
