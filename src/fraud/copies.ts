/** Texts and pictures that several testers submitted alike, and how they are graded (product.md §6). Pure. */
import type { Instant } from '../kit/clock.ts'
import type { Severity } from './contract.ts'
import { type FactsOf, type Finding, shownOf } from './rules.ts'

/** Shorter texts ("All good, no bugs.") are too common. The SQL function proof_key gives them no key. */
export const shortestProof = 20

/** From this length on, the same text is not a coincidence. */
export const longProof = 60

/** With fewer of the 64 bits set, a look says little: one empty screen looks like any other. */
export const fewestBits = 8

/** One of several proofs with the same text; the counts cover all of them. */
export type AlikeProof = {
  proofKey: string
  proofs: number
  testers: number
  campaigns: number
  participationId: string
  testerId: string
  campaignId: string
  campaignTitle: string
  submittedAt: Instant
  text: string
  /** Certainly submitted after the first one, by another tester. */
  later: boolean
  /** The tester has since deleted the account, and is not reported. */
  gone: boolean
}

const gradeOfProof = (testers: number, length: number): Severity => {
  if (length < longProof) return testers > 3 ? 'MEDIUM' : 'LOW'
  return testers > 3 ? 'CRITICAL' : 'HIGH'
}

/**
 * Takes the proofs with one text, in the order of submission. Reports the last tester who repeated it and still has an account,
 * never its first author; nobody if the order is uncertain.
 */
export const sameProof = (proofs: readonly AlikeProof[]): Finding | undefined => {
  const { proofKey, text, proofs: all, testers, campaigns } = proofs[0]!
  const copy = proofs.findLast(({ later, gone }) => later && !gone)
  return (
    copy && {
      kind: 'SAME_PROOF',
      key: `same-proof:${proofKey}`,
      parts: proofs.map(proof => proof.participationId),
      userId: copy.testerId,
      severity: gradeOfProof(testers, text.trim().length),
      facts: {
        text: excerpt(text),
        proofs: all,
        testers,
        campaigns,
        submitted: shownOf(proofs).map(({ campaignTitle, submittedAt, testerId, campaignId }) => ({
          title: campaignTitle,
          at: submittedAt,
          userId: testerId,
          campaignId,
        })),
      },
    }
  )
}

export const excerpt = (text: string) => {
  const words = text.trim().replaceAll(/\s+/g, ' ')
  return words.length > 240 ? `${words.slice(0, 240)}…` : words
}

/** One of several files that are identical or look the same; the counts cover all of them. */
export type AlikeFile = {
  key: string
  files: number
  testers: number
  campaigns: number
  attachmentId: string
  testerId: string
  campaignId: string
  campaignTitle: string
  attachedAt: Instant
  /** The tester has since deleted the account, and is not reported. */
  gone: boolean
}

const gradeOfPicture = { FILE: ['HIGH', 'CRITICAL'], LOOK: ['LOW', 'MEDIUM'] } as const

const samePicture =
  (same: FactsOf['SAME_PICTURE']['same']) =>
  (alike: readonly AlikeFile[]): Finding | undefined => {
    const { testerId: first, key, files, testers, campaigns } = alike[0]!
    const [few, many] = gradeOfPicture[same]
    const copy = alike.findLast(({ testerId, gone }) => testerId !== first && !gone)
    if (!copy) return undefined
    return {
      kind: 'SAME_PICTURE',
      key: `same-${same.toLowerCase()}:${key}`,
      parts: alike.map(file => file.attachmentId),
      userId: copy.testerId,
      severity: testers > 3 ? many : few,
      facts: {
        same,
        files,
        testers,
        campaigns,
        attached: shownOf(alike).map(({ campaignTitle, attachedAt, testerId, campaignId, attachmentId }) => ({
          title: campaignTitle,
          at: attachedAt,
          userId: testerId,
          campaignId,
          attachmentId,
        })),
      },
    }
  }

/**
 * Takes the uploads of one file, in their order. Reports the last tester who repeated it and still has an account, never the
 * first.
 */
export const sameFile = samePicture('FILE')

/** Different files that look the same, in the order of their uploads: a picture that was re-encoded or scaled down. */
export const sameLook = samePicture('LOOK')
