/**
 * The detector of texts that are nearly the same: marks what was submitted, then compares texts that share a mark (decision 066).
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Tx } from '../../kit/server/db.ts'
import { marksOf, nearGroups, nearProofs, type Pair } from '../nearProofs.ts'
import type { Finding } from '../rules.ts'
import * as queries from './nearProofs.queries.ts'
import type { Step } from './steps.queries.ts'

/** A text takes 0.1 to 0.4 ms, during which this server's other work waits. */
const markedInTurn = 25

/** Tests whose texts share a mark with another tester's. Marking a text again changes nothing. */
export const markedAlike = async (tx: Tx, step: Step): Promise<string[]> => {
  const texts = await queries.submittedTexts(tx, step)
  if (texts.length === 0) return []
  const marked: queries.Marked[] = []
  for (const { text, ...whose } of texts) {
    marked.push({ ...whose, marks: marksOf(text) })
    if (marked.length % markedInTurn === 0) await turn()
  }
  await queries.keepMarks(tx, marked)
  return queries.sharingMarks(
    tx,
    texts.map(({ participationId }) => participationId),
  )
}

/** Ids are in the order in which tests began, which is nearly the order of their proofs. */
const oldestOthers = (pairs: readonly Pair[], asked: ReadonlySet<string>): string[] => {
  const oldest = Map.groupBy(pairs, ({ one }) => one)
    .values()
    .map(own => own.map(({ other }) => other).reduce((least, id) => (id < least ? id : least)))
  return [...new Set(oldest)].filter(id => !asked.has(id))
}

/** Includes whatever is near the oldest of their neighbors, so that a finding counts all copies of its first text. */
export const nearTexts = async (tx: Tx, participationIds: readonly string[]): Promise<Finding[]> => {
  const own = await queries.pairsOf(tx, participationIds)
  const pairs = [...own, ...(await queries.pairsOf(tx, oldestOthers(own, new Set(participationIds))))]
  const ids = new Set(pairs.flatMap(({ one, other }) => [one, other]))
  const groups = nearGroups(pairs, await queries.textsOf(tx, [...ids]))
  const copyists = new Set(groups.flatMap(({ copies }) => copies.map(({ testerId }) => testerId)))
  const texts = copyists.size === 0 ? [] : await queries.textsOf(tx, await queries.testsOf(tx, [...copyists]))
  return nearProofs(groups, texts)
}
