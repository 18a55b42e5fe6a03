/** What the date to apply would be if testers stopped now, for what warns the developer of it. */
import type { Instant } from '../../kit/clock.ts'
import type { Tx } from '../../kit/server/db.ts'
import type { Warned } from '../../participations/server/participations.ts'
import { clockOf, type TesterFacts } from '../rules.ts'
import { costWords } from '../words.ts'
import { type PresentRun, presentRunsOf } from './queries.ts'

const toFacts = ({ id, account, startedAt, contested }: PresentRun): TesterFacts => ({
  id,
  alias: '',
  atRisk: true,
  account,
  runs: [{ startedAt, contested, endedAt: null, voided: false }],
})

/** A sentence for each test whose run counts while there is a date; one query, however many they are. */
export const costsOfLeaving = async (
  tx: Tx,
  tests: readonly Warned[],
  now: string,
): Promise<ReadonlyMap<string, string>> => {
  const runs = await presentRunsOf(tx, [...new Set(tests.map(({ campaignId }) => campaignId))])
  const runsOf = Map.groupBy(runs, ({ campaignId }) => campaignId)
  const clocks = new Map(
    [...runsOf].map(([campaignId, present]) => [campaignId, clockOf(present.map(toFacts), now)] as const),
  )
  const sentences = tests.flatMap(({ id, campaignId, alias }) => {
    const clock = clocks.get(campaignId)
    const tester = clock?.testers.find(one => one.id === id)
    if (!clock || clock.earliestDate === null || !tester?.counts) return []
    return [[id, `If ${alias} stops today, ${costWords(tester, clock, now)}.`] as const]
  })
  return new Map(sentences)
}

/** "the date moves from Dec 3 to Dec 9", of testers of one campaign who would stop together; null without a date. */
export const costOfLeavingIn = async (
  tx: Tx,
  { id, closedAt }: { id: string; closedAt: Instant | null },
  now: Instant,
): Promise<(leaving: readonly string[]) => string | null> => {
  const testers = (await presentRunsOf(tx, [id])).map(toFacts)
  const clock = clockOf(testers, now)
  return leaving => {
    if (leaving.length === 0 || clock.earliestDate === null) return null
    const without = clockOf(
      testers.filter(tester => !leaving.includes(tester.id)),
      now,
    )
    const left = { earliestDateWithout: without.earliestDate, missing: -without.buffer }
    return costWords(left, clock, now, closedAt !== null)
  }
}
