/** What the date to apply would be if a tester stopped now, for the messages that warn the developer of it. */
import type { Tx } from '../../kit/server/db.ts'
import type { Warned } from '../../participations/server/participations.ts'
import { clockOf } from '../rules.ts'
import { costWords } from '../words.ts'
import { presentRunsOf } from './queries.ts'

/** A sentence for each test whose run counts while there is a date; one query, however many they are. */
export const costsOfLeaving = async (
  tx: Tx,
  tests: readonly Warned[],
  now: string,
): Promise<ReadonlyMap<string, string>> => {
  const runs = await presentRunsOf(tx, [...new Set(tests.map(({ campaignId }) => campaignId))])
  const runsOf = Map.groupBy(runs, ({ campaignId }) => campaignId)
  const clocks = new Map(
    [...runsOf].map(([campaignId, present]) => {
      const testers = present.map(({ id, ...run }) => ({
        id,
        alias: '',
        atRisk: true,
        runs: [{ ...run, endedAt: null, voided: false }],
      }))
      return [campaignId, clockOf(testers, now)]
    }),
  )
  const sentences = tests.flatMap(({ id, campaignId, alias }) => {
    const clock = clocks.get(campaignId)
    const tester = clock?.testers.find(one => one.id === id)
    if (!clock || clock.earliestDate === null || !tester?.counts) return []
    return [[id, `If ${alias} stops today, ${costWords(tester, clock, now)}.`] as const]
  })
  return new Map(sentences)
}
