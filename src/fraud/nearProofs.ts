/** Texts of proofs that are nearly the same: which ones are compared, and how that is graded (product.md §6, decision 066). Pure. */
import type { Instant } from '../kit/clock.ts'
import type { Severity } from './contract.ts'
import { excerpt, longProof } from './copies.ts'
import { type Finding, shownOf } from './rules.ts'

/** Of a longer text, its beginning is compared. */
export const comparedLength = 2_000

/** Runs of so many words: one changed word changes three of them, and an exchanged sentence those at its ends. */
const wordsInRun = 3

/** Shorter texts have too few to tell a copy from chance. */
const fewestRuns = 8

/** The share of common runs, of all that two texts have, from which on they are nearly the same. */
const nearFrom = 0.5

/** Case, marks and spaces say nothing. */
const runsOf = (text: string): Set<string> => {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.slice(wordsInRun - 1).map((_, at) => words.slice(at, at + wordsInRun).join(' ')))
}

/** FNV-1a. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** The last step of MurmurHash3: each seed puts the runs in an order of its own. */
const orderedBy = (seed: number, hash: number): number => {
  let mixed = hash ^ seed
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const seeds = Array.from({ length: 8 }, (_, place) => Math.imul(place + 1, 0x9e3779b1))

/**
 * MinHash: the first run in each of eight orders, two of them to a mark. Two texts share such a first run as often as a run of
 * theirs is common, so of texts with half of their runs in common 68 % share a mark, with three quarters 96 %. None for short texts.
 */
export const marksOf = (text: string): number[] => {
  const hashes = [...runsOf(text)].map(hashOf)
  if (hashes.length < fewestRuns) return []
  const firsts = seeds.map(seed => hashes.reduce((least, hash) => Math.min(least, orderedBy(seed, hash)), Infinity))
  const marks = firsts.flatMap((first, place) =>
    // 53 bits: as many as a number has.
    place % 2 === 0 ? [(first % 2 ** 21) * 2 ** 32 + firsts[place + 1]!] : [],
  )
  return [...new Set(marks)]
}

const shareOf = (runs: Set<string>, others: Set<string>): number => {
  let common = 0
  for (const run of runs) if (others.has(run)) common++
  return common === 0 ? 0 : common / (runs.size + others.size - common)
}

/** The share of common runs: 1 for texts of the same words. */
export const likenessOf = (one: string, other: string): number => shareOf(runsOf(one), runsOf(other))

/** A proof, with its place in the order in which submissions were recorded. */
export type ProofText = {
  participationId: string
  testerId: string
  campaignId: string
  campaignTitle: string
  submittedAt: Instant
  /** Of the first submission that is known to have had this text. */
  place: number
  /** Of the test's first submission: which texts it had before, nobody knows. */
  first: number
  /** Of texts that are the same but for case and spaces: those are a finding of their own (copies.ts). */
  proofKey: string
  text: string
  /** The tester has deleted the account since, and is not reported. */
  gone: boolean
}

/** Two proofs of different testers that share a mark. */
export type Pair = { one: string; other: string }

/** A grade below that of equal texts: whoever describes the same steps may come near. */
const gradeOf = (testers: number, length: number): Severity => {
  if (length < longProof) return 'LOW'
  return testers > 3 ? 'HIGH' : 'MEDIUM'
}

const inOrder = (proofs: Iterable<ProofText>) =>
  [...proofs].toSorted((a, b) => a.place - b.place || (a.participationId < b.participationId ? -1 : 1))

/** A text, and those that came near to it, in the order of submission. */
export type NearGroup = { original: ProofText; copies: ProofText[] }

const areNear = (one: ProofText, other: ProofText) =>
  one.proofKey === other.proofKey || likenessOf(one.text, other.text) >= nearFrom

/** Whether its tester may have had such a text, in another test, before the original was submitted. */
const maybeOwn = (copy: ProofText, original: ProofText, own: readonly ProofText[]): boolean =>
  own.some(
    earlier =>
      earlier.testerId === copy.testerId &&
      earlier.participationId !== copy.participationId &&
      earlier.first < original.place &&
      (areNear(earlier, original) || areNear(earlier, copy)),
  )

/** The last of somebody else who is still there is reported, unless the text may be that tester's own. */
const findingOn = ({ original, copies }: NearGroup, own: readonly ProofText[]): Finding | undefined => {
  const copy = copies.findLast(proof => !proof.gone && !maybeOwn(proof, original, own))
  if (!copy) return undefined
  const proofs = [original, ...copies]
  const testers = new Set(proofs.map(({ testerId }) => testerId)).size
  const text = excerpt(original.text)
  return {
    kind: 'NEAR_PROOF',
    key: `near-proof:${original.participationId}`,
    parts: proofs.map(({ participationId }) => participationId),
    userId: copy.testerId,
    severity: gradeOf(testers, text.length),
    facts: {
      text,
      copy: excerpt(copy.text),
      percent: Math.floor(likenessOf(original.text, copy.text) * 100),
      proofs: proofs.length,
      testers,
      campaigns: new Set(proofs.map(({ campaignId }) => campaignId)).size,
      submitted: shownOf(proofs).map(({ campaignTitle, submittedAt, testerId, campaignId }) => ({
        title: campaignTitle,
        at: submittedAt,
        userId: testerId,
        campaignId,
      })),
    },
  }
}

/** Each text that others are certain to have come near to later, with all proofs that have the same first one. */
export const nearGroups = (pairs: readonly Pair[], proofs: readonly ProofText[]): NearGroup[] => {
  const known = new Map(proofs.map(proof => [proof.participationId, proof]))
  const runs = new Map(proofs.map(proof => [proof, runsOf(proof.text)]))
  const copies = new Map<ProofText, Set<ProofText>>()
  for (const { one, other } of pairs) {
    const [first, second] = inOrder([one, other].flatMap(id => known.get(id) ?? []))
    if (!first || !second || first.proofKey === second.proofKey || second.first <= first.place) continue
    if (shareOf(runs.get(first)!, runs.get(second)!) < nearFrom) continue
    copies.set(first, (copies.get(first) ?? new Set()).add(second))
  }
  // Whoever is near to two of them copied the first; the second did as well.
  const taken = new Set<ProofText>()
  return inOrder(copies.keys()).flatMap(original => {
    const others = [...copies.get(original)!].filter(proof => !taken.has(proof))
    for (const proof of others) taken.add(proof)
    return others.length === 0 ? [] : [{ original, copies: inOrder(others) }]
  })
}

/** One finding for each group; `own`: all texts of the testers of copies. */
export const nearProofs = (groups: readonly NearGroup[], own: readonly ProofText[]): Finding[] =>
  groups.flatMap(group => findingOn(group, own) ?? [])
