/** A version that is not published yet, kept on the device. */
import { draftKey } from '../../kit/web/drafts.ts'
import { session } from '../../kit/web/session.ts'
import { dropStored, keepStored } from '../../kit/web/stored.ts'

export type Picked = { testId: string; questionId: string }
export type WrittenVersion = { version: string; changes: { text: string; bugIds: string[]; feedback?: Picked[] }[] }

const emptyVersion: WrittenVersion = { version: '', changes: [{ text: '', bugIds: [] }] }

const keyOf = (campaignId: string) => draftKey('versionDraft', campaignId, session.user()?.id)

const isPicked = (value: unknown): value is Picked[] =>
  Array.isArray(value) &&
  value.every(each => {
    const { testId, questionId } = (each ?? {}) as Record<string, unknown>
    return typeof testId === 'string' && typeof questionId === 'string'
  })

const isChange = (value: unknown): value is WrittenVersion['changes'][number] => {
  const { text, bugIds, feedback = [] } = (value ?? {}) as Record<string, unknown>
  return (
    typeof text === 'string' &&
    Array.isArray(bugIds) &&
    bugIds.every(id => typeof id === 'string') &&
    isPicked(feedback)
  )
}

export const isSame = (a: Picked, b: Picked) => a.testId === b.testId && a.questionId === b.questionId

type Kept = { bugIds?: string[] | undefined; feedback?: Picked[] | undefined }

/**
 * Removes what can no longer be answered, for example a bug that was decided after the draft, because the form does not show it and
 * so nobody could untick it. Keeps everything while the lists have not loaded.
 */
export const withoutGone = <Change extends Kept>(
  changes: readonly Change[],
  bugs: readonly { id: string }[] | undefined,
  written: readonly Picked[] | undefined,
): Change[] =>
  changes.map(change => ({
    ...change,
    bugIds: change.bugIds?.filter(id => !bugs || bugs.some(bug => bug.id === id)),
    feedback: change.feedback?.filter(picked => !written || written.some(each => isSame(each, picked))),
  }))

export const readDraft = (campaignId: string): WrittenVersion => {
  try {
    const { version, changes } = JSON.parse(localStorage.getItem(keyOf(campaignId)) ?? '') as Record<string, unknown>
    if (typeof version !== 'string' || !Array.isArray(changes) || changes.length === 0) return emptyVersion
    return changes.every(isChange) ? { version, changes } : emptyVersion
  } catch {
    return emptyVersion
  }
}

export const saveDraft = (campaignId: string, written: WrittenVersion): void => keepStored(keyOf(campaignId), written)

export const dropDraft = (campaignId: string): void => dropStored(keyOf(campaignId))
