/** The change log of a campaign: versions of the app, what each one changes, and which bugs the changes answer. */
import { z } from 'zod'
import { OriginalBug } from '../bugs/contract.ts'
import { longest, retestResults } from '../bugs/terms.ts'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Id, Instant, line, optionalText } from '../kit/schemas.ts'
import { longestChange, mostChanges, mostFeedback } from './terms.ts'

/** A tester who reported a bug that a change answers, and what they found in this version. */
const Reporter = z.object({
  bugId: Id,
  alias: z.string(),
  own: z.boolean(),
  /** Null until they answer. */
  result: z.enum(retestResults).nullable(),
  /** Whether we wait for an answer; false once the bug is open again. */
  open: z.boolean(),
})

/** What a tester wrote in the feedback form, and what they found in this version. */
const AnsweredFeedback = z.object({
  testId: Id,
  alias: z.string(),
  own: z.boolean(),
  question: z.string(),
  quote: z.string(),
  result: z.enum(retestResults).nullable(),
  note: z.string().nullable(),
  /** Whether we wait for an answer; false once a later version answers the same feedback. */
  open: z.boolean(),
})

export const ChangeEntry = z.object({
  id: Id,
  text: z.string(),
  /** The bugs that the change answers, each with the testers who reported it or a duplicate. Testers see only themselves. */
  bugs: z.array(OriginalBug.extend({ reporters: z.array(Reporter) })),
  /** The feedback that the change answers. Testers see only their own. */
  feedback: z.array(AnsweredFeedback),
})
export type ChangeEntry = z.output<typeof ChangeEntry>

export const AppVersion = z.object({
  id: Id,
  version: z.string(),
  publishedAt: Instant,
  changes: z.array(ChangeEntry),
})
export type AppVersion = z.output<typeof AppVersion>

const nameOf = ({ testId, questionId }: { testId: string; questionId: string }) => `${testId} ${questionId}`

export const NewVersion = z.object({
  version: line('Version', longest.version),
  changes: z
    .array(
      z.object({
        text: line('Change', longestChange),
        bugIds: z.array(Id).max(50, { error: 'A change can answer at most 50 bugs' }).optional(),
        /** Answers that testers wrote: from which test, and to which question. */
        feedback: z
          .array(z.object({ testId: Id, questionId: Id }))
          .max(mostFeedback, { error: `A change can answer at most ${mostFeedback} pieces of feedback` })
          .optional(),
      }),
    )
    .min(1, { error: 'Say what it changes' })
    .max(mostChanges, { error: `A version can have at most ${mostChanges} changes` })
    .superRefine((changes, context) => {
      const seen = new Set<string>()
      for (const [index, { bugIds = [], feedback = [] }] of changes.entries()) {
        for (const name of feedback.map(nameOf)) {
          if (seen.has(name))
            context.addIssue({
              code: 'custom',
              path: [index, 'feedback'],
              message: 'Only one change of a version can answer the same feedback',
            })
          seen.add(name)
        }
        if (bugIds.some(id => seen.has(id)) || new Set(bugIds).size < bugIds.length)
          context.addIssue({
            code: 'custom',
            path: [index, 'bugIds'],
            message: 'Only one change of a version can answer the same bug',
          })
        for (const id of bugIds) seen.add(id)
      }
    }),
})
export type NewVersion = z.output<typeof NewVersion>

export const changeApi = endpoints({
  list: {
    method: 'GET',
    path: '/campaigns/:id/changes',
    access: ['DEVELOPER', 'TESTER', 'ADMIN'],
    params: ById,
    revalidated: true,
    summary:
      'The versions that the developer has published since the start, newest first, with their changes, the bugs that these answer, and the results of retests. Testers of the campaign see them too; before they have accepted its NDA, and once they have left, only what answers their own bugs and feedback.',
    reply: z.array(AppVersion),
  },
  publish: {
    method: 'POST',
    path: '/campaigns/:id/changes',
    access: 'DEVELOPER',
    params: ById,
    idempotent: true,
    summary:
      'Add changes to a new or existing version. The bugs that they answer are marked as fixed in it, and their reporters are asked to retest. 409 for a bug that has been decided otherwise.',
    body: NewVersion,
    reply: AppVersion,
    status: 201,
    errors: ['WRONG_STATE', 'LIMIT_REACHED'],
  },
  retest: {
    method: 'POST',
    path: '/changes/:id/retest',
    access: 'TESTER',
    params: ById,
    summary: 'Say whether the change has fixed what the caller’s feedback was about. The developer is notified.',
    body: z.object({
      result: z.enum(retestResults, { error: 'Say WORKS or STILL_BROKEN' }),
      note: optionalText('The note', longest.note).optional(),
    }),
    reply: AppVersion,
    idempotent: true,
    errors: ['WRONG_STATE'],
  },
  correct: {
    method: 'PATCH',
    path: '/changes/:id',
    access: 'DEVELOPER',
    params: ById,
    summary: 'Correct the text of a change.',
    body: z.object({ text: line('Change', longestChange) }),
    reply: AppVersion,
  },
})
