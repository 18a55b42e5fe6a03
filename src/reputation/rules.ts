/** Figures from the newest ended tests of somebody, newest first (decision 040). Pure. */
import type { DeveloperReputation, TesterReputation } from './contract.ts'
import { percentStep, steps, windows } from './terms.ts'

/** A tester's test that has ended and counts: what was called off by others is not among them. */
export type EndedTest = {
  status: 'VERIFIED' | 'REJECTED' | 'DROPPED'
  /** Nobody looked at the proof in time. */
  bySilence: boolean
  changesRequested: number
  /** Where a daily check-in was asked for; else both are 0. */
  daysDone: number
  daysDue: number
}

/** A proof that its developer has decided on, or has left to the clock. */
export type ReviewedProof = {
  rejected: boolean
  /** From the last submission to the answer; null where an admin had the last word. */
  hours: number | null
}

/** The newest 20, 10 or 5 of them; null of fewer. */
const newest = <Case>(cases: readonly Case[]): readonly Case[] | null => {
  const size = windows.find(window => cases.length >= window)
  return size === undefined ? null : cases.slice(0, size)
}

const share = <Case>(cases: readonly Case[], counts: (each: Case) => boolean) => {
  const among = newest(cases)
  return among && { count: among.filter(counts).length, of: among.length }
}

const stepped = (count: number): number | null => steps.find(step => count >= step) ?? null

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

const daysKept = (tests: readonly EndedTest[]): TesterReputation['daysKept'] => {
  const among = newest(tests.filter(({ daysDue }) => daysDue > 0))
  if (!among) return null
  const kept = sum(among.map(({ daysDone }) => daysDone)) / sum(among.map(({ daysDue }) => daysDue))
  // Down, so that "100%" says that no day was missed.
  return { percent: Math.floor((kept * 100) / percentStep) * percentStep, of: among.length }
}

export const testerReputation = (verified: number, tests: readonly EndedTest[]): TesterReputation => ({
  testsDone: stepped(verified),
  daysKept: daysKept(tests),
  firstTry: share(
    tests.filter(({ status, bySilence }) => status !== 'DROPPED' && !bySilence),
    ({ status, changesRequested }) => status === 'VERIFIED' && changesRequested === 0,
  ),
  seatsLeft: share(tests, ({ status }) => status === 'DROPPED'),
})

const answerTime = (proofs: readonly ReviewedProof[]): DeveloperReputation['answerTime'] => {
  const among = newest(proofs.flatMap(({ hours }) => (hours === null ? [] : [hours])))
  if (!among) return null
  const median = among.toSorted((a, b) => a - b)[Math.ceil(among.length / 2) - 1]!
  // To the minute, and then up to the hour.
  return { hours: Math.max(1, Math.ceil(Math.floor(median * 60) / 60)), of: among.length }
}

/** `appeals`: those that an admin has decided, true where the rejection was overturned. */
export const developerReputation = (
  verified: number,
  proofs: readonly ReviewedProof[],
  appeals: readonly boolean[],
): DeveloperReputation => ({
  testsDone: stepped(verified),
  answerTime: answerTime(proofs),
  rejected: share(proofs, ({ rejected }) => rejected),
  appealsLost: share(appeals, overturned => overturned),
})
