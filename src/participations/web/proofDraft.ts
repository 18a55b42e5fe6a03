/** The proof while it is being written: what the form holds, and what a reload finds again. */
import { z } from 'zod'
import { Proof } from '../contract.ts'

const Written = z.object({ text: z.string(), links: z.array(z.string()) })
export type Written = z.output<typeof Written>

export const maxLinks = 20

const Handed = Proof.options[1]

/**
 * The contract's proof, with rows for links that may still be empty. Errors keep the place of their row, and what is
 * wrong with the whole stands at the text.
 */
export const ProofForm = Written.check(context => {
  const rows = context.value.links.map((link, row) => ({ link, row })).filter(({ link }) => link.trim() !== '')
  const checked = Handed.safeParse({ text: context.value.text, links: rows.map(({ link }) => link) })
  for (const { path, message } of checked.error?.issues ?? []) {
    const row = path[0] === 'links' && typeof path[1] === 'number' ? rows[path[1]]?.row : undefined
    const at = row === undefined ? ['text'] : ['links', row]
    context.issues.push({ code: 'custom', path: at, message, input: context.value })
  }
}).transform(({ text, links }): Proof => ({ text: text.trim(), links: links.map(link => link.trim()).filter(Boolean) }))

const keyOf = (participationId: string) => `proofDraft:${participationId}`

export const readDraft = (participationId: string): Written | null => {
  try {
    const written = Written.parse(JSON.parse(localStorage.getItem(keyOf(participationId)) ?? 'null'))
    return { ...written, links: written.links.filter(Boolean) }
  } catch {
    return null
  }
}

export const saveDraft = (participationId: string, written: Written) =>
  localStorage.setItem(keyOf(participationId), JSON.stringify(written))

export const dropDraft = (participationId: string) => localStorage.removeItem(keyOf(participationId))
