/** Proof texts that are nearly the same: which ones are compared, and how they are graded (product.md §6, decision 066). Pure. */
import type { Instant } from '../kit/clock.ts'
import type { Severity } from './contract.ts'
import { excerpt, longProof } from './copies.ts'
import { type Finding, shownOf } from './rules.ts'

/** Only this much of the beginning of a longer text is compared. */
export const comparedLength = 2_000

/**
 * Texts are compared by runs of this many words: one changed word changes three runs, an exchanged sentence those at its ends.
 */
const wordsInRun = 3

/** Shorter texts have too few runs to tell a copy from chance. */
const fewestRuns = 8

/** Texts are nearly the same if they have at least this share of all their runs in common. */
const nearFrom = 0.5

/** Ignores case, punctuation and spaces. */
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

/** The last step of MurmurHash3: each seed sorts the runs in a different order. */
const orderedBy = (seed: number, hash: number): number => {
  let mixed = hash ^ seed
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const seeds = Array.from({ length: 8 }, (_, place) => Math.imul(place + 1, 0x9e3779b1))

/**
 * MinHash: each mark combines the first runs in two of eight orders. The probability that two texts have the same first run is
 * their share of common runs, so texts with half of their runs in common share a mark in 68 % of cases, with three quarters in 96
 * %. Short texts have no marks.
 */
export const marksOf = (text: string): number[] => {
  const hashes = [...runsOf(text)].map(hashOf)
  if (hashes.length < fewestRuns) return []
  const firsts = seeds.map(seed => hashes.reduce((least, hash) => Math.min(least, orderedBy(seed, hash)), Infinity))
  const marks = firsts.flatMap((first, place) =>
    // 53 bits, as many as a JavaScript number holds exactly.
    place % 2 === 0 ? [(first % 2 ** 21) * 2 ** 32 + firsts[place + 1]!] : [],
  )
  return [...new Set(marks)]
}

const shareOf = (runs: Set<string>, others: Set<string>): number => {
  let common = 0
  for (const run of runs) if (others.has(run)) common++
  return common === 0 ? 0 : common / (runs.size + others.size - common)
}

/** The share of common runs: 1 for texts with the same words. */
export const likenessOf = (one: string, other: string): number => shareOf(runsOf(one), runsOf(other))

/** A proof, with its position in the order in which submissions were recorded. */
export type ProofText = {
  participationId: string
  testerId: string
  campaignId: string
  campaignTitle: string
  submittedAt: Instant
  /** The position of the first submission that is known to have had this text. */
  place: number
  /** The position of the test's first submission, since it is unknown which texts the test had before. */
  first: number
  /** The same for texts that differ only in case and spaces, which are a finding of their own (copies.ts). */
  proofKey: string
  text: string
  /** The tester has since deleted the account, and is not reported. */
  gone: boolean
}

/** Two proofs of different testers that share a mark. */
export type Pair = { one: string; other: string }

/** One grade below equal texts, because testers who describe the same steps may come near each other. */
const gradeOf = (testers: number, length: number): Severity => {
  if (length < longProof) return 'LOW'
  return testers > 3 ? 'HIGH' : 'MEDIUM'
}

const inOrder = (proofs: Iterable<ProofText>) =>
  [...proofs].toSorted((a, b) => a.place - b.place || (a.participationId < b.participationId ? -1 : 1))

/** A text and those near it, in the order of submission. */
export type NearGroup = { original: ProofText; copies: ProofText[] }

const areNear = (one: ProofText, other: ProofText) =>
  one.proofKey === other.proofKey || likenessOf(one.text, other.text) >= nearFrom

/** Whether the copy's tester may have had such a text in another test before the original was submitted. */
const maybeOwn = (copy: ProofText, original: ProofText, own: readonly ProofText[]): boolean =>
  own.some(
    earlier =>
      earlier.testerId === copy.testerId &&
      earlier.participationId !== copy.participationId &&
      earlier.first < original.place &&
      (areNear(earlier, original) || areNear(earlier, copy)),
  )

/** Reports the last copier who still has an account, unless the text may be that tester's own. */
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

/** Each text that others certainly came near later, with all proofs of which it is the first near text. */
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
  // A proof near two of them is a copy of the first, as the second one is.
  const taken = new Set<ProofText>()
  return inOrder(copies.keys()).flatMap(original => {
    const others = [...copies.get(original)!].filter(proof => !taken.has(proof))
    for (const proof of others) taken.add(proof)
    return others.length === 0 ? [] : [{ original, copies: inOrder(others) }]
  })
}

/** One finding for each group. `own`: all texts of the copies' testers. */
export const nearProofs = (groups: readonly NearGroup[], own: readonly ProofText[]): Finding[] =>
  groups.flatMap(group => findingOn(group, own) ?? [])
