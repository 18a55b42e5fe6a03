import { describe, expect, test } from 'vitest'
import { developerReputation, type EndedTest, type ReviewedProof, testerReputation } from './rules.ts'

const verified: EndedTest = { status: 'VERIFIED', bySilence: false, changesRequested: 0, daysDone: 14, daysDue: 14 }
const dropped: EndedTest = { ...verified, status: 'DROPPED', daysDone: 2, daysDue: 5 }
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)
const none = { testsDone: null, daysKept: null, firstTry: null, seatsLeft: null }

describe('a tester', () => {
  test('has no figure of fewer than five cases, and each figure has cases of its own', () => {
    expect(testerReputation(4, times(4, verified))).toEqual(none)
    const silent = times(5, { ...verified, bySilence: true, daysDue: 0, daysDone: 0 })
    expect(testerReputation(5, silent)).toEqual({ ...none, testsDone: 5, seatsLeft: { count: 0, of: 5 } })
  })

  test('has figures of the newest 5, 10 or 20 cases, so that they link no campaigns and old mistakes fade', () => {
    const { firstTry, seatsLeft } = testerReputation(9, [...times(9, verified), dropped])
    expect({ firstTry, seatsLeft }).toEqual({ firstTry: { count: 5, of: 5 }, seatsLeft: { count: 1, of: 10 } })
    expect(testerReputation(19, [...times(19, verified), dropped]).seatsLeft).toEqual({ count: 1, of: 20 })
    expect(testerReputation(9, [...times(9, verified), { ...verified, changesRequested: 1 }]).firstTry).toEqual({
      count: 9,
      of: 10,
    })
  })

  test('has done tests in steps, and kept days in steps of five percent, rounded down', () => {
    expect([4, 5, 9, 19, 49, 99, 100, 5000].map(count => testerReputation(count, []).testsDone)).toEqual([
      null,
      5,
      5,
      10,
      20,
      50,
      100,
      100,
    ])
    expect(testerReputation(5, [{ ...verified, daysDone: 13 }, ...times(4, verified)]).daysKept).toEqual({
      percent: 95,
      of: 5,
    })
    expect(testerReputation(5, times(5, verified)).daysKept?.percent).toBe(100)
  })

  test('is not helped by a proof that was rejected or needed changes', () => {
    const tests: EndedTest[] = [
      { ...verified, status: 'REJECTED' },
      { ...verified, changesRequested: 2 },
      ...times(3, verified),
    ]
    expect(testerReputation(4, tests).firstTry).toEqual({ count: 3, of: 5 })
  })
})

describe('a developer', () => {
  const answered = (hours: number | null, rejected = false): ReviewedProof => ({ rejected, hours })

  test('answers half of the newest proofs within so many hours, and never within none', () => {
    const proofs = [1.2, 70, 3.4, 72, 0.5].map(hours => answered(hours))
    expect(developerReputation(5, proofs, []).answerTime).toEqual({ hours: 4, of: 5 })
    expect(developerReputation(5, times(10, answered(0.01)), []).answerTime).toEqual({ hours: 1, of: 10 })
    expect(developerReputation(5, [...times(4, answered(1)), answered(null)], []).answerTime).toBeNull()
  })

  test('has rejected some of the newest proofs, and lost some appeals, each from five cases on', () => {
    const { rejected, appealsLost } = developerReputation(
      9,
      [answered(2, true), answered(null, true), ...times(8, answered(5))],
      [true, false, true, false],
    )
    expect({ rejected, appealsLost }).toEqual({ rejected: { count: 2, of: 10 }, appealsLost: null })
    expect(developerReputation(0, [], [true, false, false, false, true]).appealsLost).toEqual({ count: 2, of: 5 })
  })
})
