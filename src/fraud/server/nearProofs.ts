/** The detector of texts that are nearly the same: marks what was submitted, then compares what shares a mark (decision 066). */
import type { Tx } from '../../kit/server/db.ts'
import { marksOf, nearProofs } from '../nearProofs.ts'
import type { Finding } from '../rules.ts'
import * as queries from './nearProofs.queries.ts'
import type { Step } from './steps.queries.ts'

/** Tests whose texts share a mark with another tester's. Marking a text again changes nothing. */
export const markedAlike = async (tx: Tx, step: Step): Promise<string[]> => {
  const texts = await queries.submittedTexts(tx, step)
  if (texts.length === 0) return []
  await queries.keepMarks(
    tx,
    texts.map(({ text, ...whose }) => ({ ...whose, marks: marksOf(text) })),
  )
  return queries.marked(
    tx,
    texts.map(({ participationId }) => participationId),
  )
}

/** With those that are near to their neighbours, so that a finding counts all copies of its first text. */
export const nearTexts = async (tx: Tx, participationIds: readonly string[]): Promise<Finding[]> => {
  const own = await queries.pairsOf(tx, participationIds)
  const asked = new Set(participationIds)
  const others = new Set(own.flatMap(({ other }) => (asked.has(other) ? [] : [other])))
  const pairs = [...own, ...(await queries.pairsOf(tx, [...others]))]
  const ids = new Set(pairs.flatMap(({ one, other }) => [one, other]))
  return nearProofs(pairs, await queries.textsOf(tx, [...ids]))
}
