/** Check-ins at more even intervals than people keep, and how they are graded (product.md §6). Pure. */
import type { Instant } from '../kit/clock.ts'
import { type Finding, shownOf } from './rules.ts'

/**
 * This many check-ins in a row whose intervals differ by no more than this count as even. Of simulated people who tap within ten
 * seconds of the same time every day, one run of ten in 60,000 is even; of those within half a minute, none of 3 million. A timer
 * is mostly within a second, and the network adds one or two. An index of tests with this many check-ins contains the number,
 * too.
 */
export const fewestEven = 10
const evenMs = 5_000

/** A whole closed test of Google Play (14 days), with a check-in on every day. */
const wholeTest = 14

const hourMs = 3_600_000

const msBetween = (from: Instant, to: Instant) => Date.parse(to) - Date.parse(from)

/** One check-in of a test. */
export type CheckIn = {
  participationId: string
  testerId: string
  campaignId: string
  campaignTitle: string
  at: Instant
}

/**
 * Leaves out whole hours, to between minus and plus half an hour: a timer's intervals stay even over missed days and clock
 * changes.
 */
const apartFromHours = (ms: number) => ((ms + hourMs / 2) % hourMs) - hourMs / 2

const spreadOf = (intervals: readonly number[]) => Math.max(...intervals) - Math.min(...intervals)

/** The longest even run; the newest one if several are equally long. */
const evenRun = (times: readonly Instant[]): { from: number; to: number; spreadMs: number } => {
  const intervals = times.slice(1).map((at, place) => apartFromHours(msBetween(times[place]!, at)))
  let best = { from: 0, to: 0, spreadMs: 0 }
  for (let from = 0, to = 0; to < intervals.length; to++) {
    while (spreadOf(intervals.slice(from, to + 1)) > evenMs) from++
    if (to + 1 - from >= best.to - best.from)
      best = { from, to: to + 1, spreadMs: spreadOf(intervals.slice(from, to + 1)) }
  }
  return best
}

/** Takes one test's check-ins, in their order. Reported at the minimum number, and again if a whole test was even. */
export const evenCheckIns = (checkIns: readonly CheckIn[]): Finding | undefined => {
  const { from, to, spreadMs } = evenRun(checkIns.map(({ at }) => at))
  const run = checkIns.slice(from, to + 1)
  if (run.length < fewestEven) return undefined
  const { participationId, testerId, campaignId, campaignTitle } = run[0]!
  return {
    kind: 'EVEN_CHECK_INS',
    key: `even-check-ins:${participationId}`,
    parts: [fewestEven, wholeTest].filter(many => run.length >= many).map(String),
    userId: testerId,
    severity: run.length >= wholeTest ? 'HIGH' : 'MEDIUM',
    facts: {
      title: campaignTitle,
      campaignId,
      checkIns: run.length,
      spreadMs,
      shown: shownOf(
        run.map(({ at }, place) => ({
          at,
          ...(place > 0 && { afterMs: msBetween(run[place - 1]!.at, at) }),
        })),
      ),
    },
  }
}
