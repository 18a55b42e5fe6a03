/** The proof form's schema, loaded with zod when the form is first validated. */
import { z } from 'zod'
import { Proof } from '../contract.ts'

const Written = z.object({ text: z.string(), links: z.array(z.string()), attachmentIds: z.array(z.string()) })
const Structured = Proof.options[1]

/**
 * The contract's proof, with link rows that may be empty. A link's error appears in its row, any other error at the
 * text.
 */
export const ProofForm = Written.check(context => {
  const rows = context.value.links.map((link, row) => ({ link, row })).filter(({ link }) => link.trim() !== '')
  const checked = Structured.safeParse({ ...context.value, links: rows.map(({ link }) => link) })
  for (const { path, message } of checked.error?.issues ?? []) {
    const row = path[0] === 'links' && typeof path[1] === 'number' ? rows[path[1]]?.row : undefined
    const at = row === undefined ? ['text'] : ['links', row]
    context.issues.push({ code: 'custom', path: at, message, input: context.value })
  }
}).transform(({ text, links, attachmentIds }): Proof => ({
  text: text.trim(),
  links: links.map(link => link.trim()).filter(Boolean),
  attachmentIds,
}))
