/** How many seats to offer so that enough testers remain at the end of Google's fourteen days. Pure. */
import { type BasisPoints, percentOf, rateOf } from '../kit/money.ts'
import { googleRule } from './terms.ts'

/** With fewer finished tests than this, the marketplace's own rate says little. */
export const finishedTestsNeeded = 200

/** Assumed until then: one tester in five gives up. */
export const assumedDropOut: BasisPoints = 2000

/** The rate is taken from at most this many of the newest finished tests. */
export const finishedTestsLookedAt = 1000

export type DropOuts = { finishedTests: number; basisPoints: BasisPoints; assumed: boolean }

/** The share of finished tests that their testers gave up, or an assumption while there are too few. */
export const dropOutRate = ({ finished, dropped }: { finished: number; dropped: number }): DropOuts =>
  finished < finishedTestsNeeded
    ? { finishedTests: finished, basisPoints: assumedDropOut, assumed: true }
    : { finishedTests: finished, basisPoints: rateOf(dropped, finished), assumed: false }

/**
 * The probability that at least `needed` of these testers remain, if each gives up independently with the given probability:
 * the upper tail of a binomial distribution.
 */
export const chanceOfStaying = (seats: number, dropOut: BasisPoints, needed: number = googleRule.testers): number => {
  const stays = 1 - dropOut / 10_000
  let chance = 0
  // Exactly `left` of `seats` testers remain: seats! / (left! gone!) ways, multiplied factor by factor.
  for (let left = needed; left <= seats; left++) {
    let ways = 1
    for (let factor = 1; factor <= seats - left; factor++) ways *= (left + factor) / factor
    chance += ways * stays ** left * (1 - stays) ** (seats - left)
  }
  return Math.min(1, chance)
}

export type SpareSeats = { seats: number; chance: number }

const mostShown = 20

/** From exactly enough seats up to 20. */
export const spareSeats = (dropOut: BasisPoints): SpareSeats[] =>
  Array.from({ length: mostShown - googleRule.testers + 1 }, (_, spare) => {
    const seats = googleRule.testers + spare
    return { seats, chance: chanceOfStaying(seats, dropOut) }
  })

/** "82%". Never 100% or 0%, which would mean certain or impossible. */
export const chanceText = (chance: number): string => {
  const percent = percentOf(chance, 1)
  if (percent === 100 && chance < 1) return '>99%'
  if (percent === 0 && chance > 0) return '<1%'
  return `${percent}%`
}
