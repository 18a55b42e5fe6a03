import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assumedDropOut, chanceOfStaying, chanceText, dropOutRate, spareSeats } from './spareSeats.ts'

describe('the chance that enough testers are left', () => {
  // Worked out by hand.
  test.each([
    // Both of two stay: 0.9 × 0.9.
    [2, 1000, 2, 0.81],
    // Two or three of three: 3 × 0.9² × 0.1 + 0.9³.
    [3, 1000, 2, 0.972],
    // Nobody gives up, or everybody.
    [12, 0, 12, 1],
    [20, 10_000, 12, 0],
    // One seat too few.
    [11, 0, 12, 0],
    // 0.8¹², and with one spare seat 13 × 0.8¹² × 0.2 + 0.8¹³.
    [12, 2000, 12, 0.068719476736],
    [13, 2000, 12, 0.2336462209024],
    // One of four at least: 1 − 0.5⁴.
    [4, 5000, 1, 0.9375],
  ])('of %i testers, %i basis points of whom give up, %i: %d', (seats, dropOut, needed, chance) => {
    expect(chanceOfStaying(seats, dropOut, needed)).toBeCloseTo(chance, 10)
  })

  test('is that of trying every combination', () => {
    const byHand = (seats: number, stays: number, needed: number): number => {
      let chance = 0
      for (let who = 0; who < 2 ** seats; who++) {
        const left = who.toString(2).replaceAll('0', '').length
        if (left >= needed) chance += stays ** left * (1 - stays) ** (seats - left)
      }
      return chance
    }
    for (const seats of [1, 5, 9])
      for (const needed of [1, 3, 5])
        expect(chanceOfStaying(seats, 1700, needed)).toBeCloseTo(byHand(seats, 0.83, needed), 10)
  })

  test('never falls with one more seat, and never rises with more who give up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 12, max: 99 }), fc.nat(9999), (seats, dropOut) => {
        const chance = chanceOfStaying(seats, dropOut)
        expect(chance).toBeGreaterThanOrEqual(0)
        expect(chanceOfStaying(seats + 1, dropOut)).toBeGreaterThanOrEqual(chance - 1e-9)
        expect(chanceOfStaying(seats, dropOut + 1)).toBeLessThanOrEqual(chance + 1e-9)
      }),
    )
  })

  test('is shown from 12 to 20 seats', () => {
    const shown = spareSeats(assumedDropOut)
    expect(shown.map(({ seats }) => seats)).toEqual([12, 13, 14, 15, 16, 17, 18, 19, 20])
    expect(shown.map(({ chance }) => chanceText(chance))).toEqual([
      '7%',
      '23%',
      '45%',
      '65%',
      '80%',
      '89%',
      '95%',
      '98%',
      '99%',
    ])
  })

  test('is never said to be certain or impossible when it is not', () => {
    expect([1, 0.9999, 0.5, 0.0001, 0].map(chanceText)).toEqual(['100%', '>99%', '50%', '<1%', '0%'])
  })
})

describe('the drop-out rate', () => {
  test('is this marketplace’s own from 200 finished tests on', () => {
    expect(dropOutRate({ finished: 200, dropped: 25 })).toEqual({
      finishedTests: 200,
      basisPoints: 1250,
      assumed: false,
    })
    expect(dropOutRate({ finished: 200, dropped: 0 }).basisPoints).toBe(0)
  })

  test('is an assumption before, and says so', () => {
    const assumed = { finishedTests: 199, basisPoints: assumedDropOut, assumed: true }
    expect(dropOutRate({ finished: 199, dropped: 190 })).toEqual(assumed)
  })
})
