/** The draft of a proof, kept across reloads. */
import type { WrittenAnswers } from '../../feedback/written.ts'
import { adoptedKey } from '../../kit/web/drafts.ts'
import { session } from '../../kit/web/session.ts'
import { dropStored, keepStored, readStored } from '../../kit/web/stored.ts'

export type Written = {
  text: string
  links: string[]
  attachmentIds: string[]
  /** Named as in the request, so that the server's errors appear at their questions. */
  feedback: { answers: WrittenAnswers }
}

export const maxLinks = 20

const keyOf = (participationId: string) => adoptedKey('proofDraft', participationId, session.user()?.id)

/**
 * Keeps only answers to the questions in `asked`, since the form may have changed; questions that the draft lacks get the values
 * of `asked`.
 */
export const readDraft = (participationId: string, asked: WrittenAnswers): Written | null => {
  const kept = readStored<Written>(keyOf(participationId), {
    text: '',
    links: [],
    attachmentIds: [],
    feedback: { answers: asked },
  })
  return kept && { ...kept, links: kept.links.filter(Boolean) }
}

export const saveDraft = (participationId: string, written: Written) => keepStored(keyOf(participationId), written)

export const dropDraft = (participationId: string) => dropStored(keyOf(participationId))
