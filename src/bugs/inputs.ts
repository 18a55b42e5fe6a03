/** What callers send about bugs. */
import { z } from 'zod'
import { Id, idOr, line, optionalLine, optionalText, text } from '../kit/schemas.ts'
import { bugSeverities, bugStatuses, longest, mostBugFiles, retestResults } from './terms.ts'

const AttachmentIds = z
  .array(Id)
  .max(mostBugFiles, { error: `Attach at most ${mostBugFiles} files` })
  .refine(ids => new Set(ids).size === ids.length, { error: 'A file may be attached only once' })

const Severity = z.enum(bugSeverities, { error: 'Choose a severity' })

export const NewBug = z.object({
  title: line('Title', longest.title),
  severity: Severity,
  steps: text('A description of the steps', longest.text),
  expected: optionalText('What should happen', longest.text).optional(),
  actual: text('What happened', longest.text),
  appVersion: optionalLine('App version', longest.version).optional(),
  attachmentIds: AttachmentIds.optional(),
})
export type NewBug = z.output<typeof NewBug>

export const BugChange = z
  .object({
    status: z.enum(bugStatuses, { error: 'Unknown status' }).optional(),
    /** The bug that it is a duplicate of. */
    duplicateOf: idOr('Choose the bug that it is a duplicate of').optional(),
    fixedIn: line('Version', longest.version).optional(),
    severity: Severity.optional(),
    note: optionalText('Note', longest.note).optional(),
  })
  .superRefine(({ status, duplicateOf, fixedIn, severity }, context) => {
    const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (status === undefined && severity === undefined) say('status', 'Say what to change')
    if (status === 'DUPLICATE' && duplicateOf === undefined)
      say('duplicateOf', 'Choose the bug that it is a duplicate of')
    if (status === 'FIXED' && fixedIn === undefined) say('fixedIn', 'Say in which version it is fixed')
    if (status !== 'DUPLICATE' && duplicateOf !== undefined) say('duplicateOf', 'Only a duplicate can name an original')
    if (status !== 'FIXED' && fixedIn !== undefined) say('fixedIn', 'Only a fixed bug can name a version')
  })
  .meta({ examples: [{ status: 'FIXED', fixedIn: '1.2', note: 'The words stay now.' }] })
export type BugChange = z.output<typeof BugChange>

export const BugComment = z
  .object({ text: optionalText('Comment', longest.text), attachmentIds: AttachmentIds.optional() })
  .refine(({ text: words, attachmentIds = [] }) => words !== '' || attachmentIds.length > 0, {
    error: 'Write something, or attach a file',
    path: ['text'],
  })
export type BugComment = z.output<typeof BugComment>

export const BugRetest = z.object({
  result: z.enum(retestResults, { error: 'Say whether it works now' }),
  note: optionalText('Note', longest.note).optional(),
})
export type BugRetest = z.output<typeof BugRetest>
