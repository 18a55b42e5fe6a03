/** Check-ins that follow each other more evenly than people do, and how that is graded (product.md §6). Pure. */
import type { Instant } from '../kit/clock.ts'
import { type Finding, shownOf } from './rules.ts'

/**
 * So many check-ins in a row, whose intervals differ by so little, are even. Of simulated people who tap within ten seconds of
 * the same time every day, one run of ten in 60,000 is; of those within half a minute, none of 3 million. A timer is mostly
 * within a second, and the network adds one or two. An index of the tests with so many check-ins names the number, too.
 */
export const fewestEven = 10
const evenMs = 5_000

/** A whole closed test of Google Play, every day of it (14 days). */
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

/** Without its whole hours, from minus to plus half an hour: missed days and changed clocks leave a timer's intervals even. */
const apartFromHours = (ms: number) => ((ms + hourMs / 2) % hourMs) - hourMs / 2

const spreadOf = (intervals: readonly number[]) => Math.max(...intervals) - Math.min(...intervals)

/** The longest run of even ones, of equal ones the newest. */
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

/** Of one test's check-ins, in their order. Reported at the least number, and once more when a whole test was even. */
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
