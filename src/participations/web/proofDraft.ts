/** The draft of a proof, kept across reloads. */
import { readStored } from '../../kit/web/stored.ts'

export type Written = { text: string; links: string[]; attachmentIds: string[] }

export const maxLinks = 20

const keyOf = (participationId: string) => `proofDraft:${participationId}`

export const readDraft = (participationId: string): Written | null => {
  const kept = readStored<Written>(keyOf(participationId), { text: '', links: [], attachmentIds: [] })
  return kept && { ...kept, links: kept.links.filter(Boolean) }
}

export const saveDraft = (participationId: string, written: Written) =>
  localStorage.setItem(keyOf(participationId), JSON.stringify(written))

export const dropDraft = (participationId: string) => localStorage.removeItem(keyOf(participationId))
