/** What the form of the proof is checked with: loaded when it is first checked, and zod with it. */
import { z } from 'zod'
import { Proof } from '../contract.ts'

const Written = z.object({ text: z.string(), links: z.array(z.string()) })
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
