/** The proof form's schema, loaded with zod when the form is first validated. */
import { z } from 'zod'
import type { DueForm } from '../../feedback/contract.ts'
import { problemsOf } from '../../feedback/rules.ts'
import { answersIn } from '../../feedback/written.ts'
import { Proof } from '../contract.ts'

const Written = z.object({
  text: z.string(),
  links: z.array(z.string()),
  attachmentIds: z.array(z.string()),
  feedback: z.object({ answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])) }),
})
const Structured = Proof.options[1]

/**
 * The contract's proof, with link rows that may be empty. A link's error appears in its row, any other error at the
 * text. With a feedback form its answers are checked as the server does.
 */
export const proofFormWith = (due: DueForm | null) =>
  Written.check(context => {
    const rows = context.value.links.map((link, row) => ({ link, row })).filter(({ link }) => link.trim() !== '')
    const checked = Structured.safeParse({ ...context.value, links: rows.map(({ link }) => link) })
    for (const { path, message } of checked.error?.issues ?? []) {
      const row = path[0] === 'links' && typeof path[1] === 'number' ? rows[path[1]]?.row : undefined
      const at = row === undefined ? ['text'] : ['links', row]
      context.issues.push({ code: 'custom', path: at, message, input: context.value })
    }
    if (!due) return
    const answers = answersIn(due.questions, context.value.feedback.answers)
    for (const [id, message] of Object.entries(problemsOf(due.questions, answers, due.required)))
      context.issues.push({ code: 'custom', path: ['feedback', 'answers', id], message, input: context.value })
  }).transform(({ text, links, attachmentIds, feedback }) => {
    const proof: Proof = {
      text: text.trim(),
      links: links.map(link => link.trim()).filter(Boolean),
      attachmentIds,
    }
    if (!due) return { proof }
    return { proof, feedback: { version: due.version, answers: answersIn(due.questions, feedback.answers) } }
  })
