/** The change log of a campaign: versions of the app, what each changes, and which bugs that answers. */
import { z } from 'zod'
import { KnownBug } from '../bugs/contract.ts'
import { longest, retestResults } from '../bugs/terms.ts'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Id, Instant, line } from '../kit/schemas.ts'
import { longestChange, mostChanges } from './terms.ts'

/** Somebody who reported a bug that a change answers, and what they found in this version. */
const Reporter = z.object({
  bugId: Id,
  alias: z.string(),
  own: z.boolean(),
  /** Null while they have not answered. */
  result: z.enum(retestResults).nullable(),
})

export const ChangeEntry = z.object({
  id: Id,
  text: z.string(),
  /** The bugs that it answers, each with those who reported it or a duplicate; testers learn of themselves alone. */
  bugs: z.array(KnownBug.extend({ reporters: z.array(Reporter) })),
})
export type ChangeEntry = z.output<typeof ChangeEntry>

export const AppVersion = z.object({
  id: Id,
  version: z.string(),
  publishedAt: Instant,
  changes: z.array(ChangeEntry),
})
export type AppVersion = z.output<typeof AppVersion>

export const NewVersion = z.object({
  version: line('Version', longest.version),
  changes: z
    .array(
      z.object({
        text: line('Change', longestChange),
        bugIds: z.array(Id).max(50, { error: 'A change answers at most 50 bugs' }).optional(),
      }),
    )
    .min(1, { error: 'Say what it changes' })
    .max(mostChanges, { error: `A version has at most ${mostChanges} changes` })
    .superRefine((changes, context) => {
      const seen = new Set<string>()
      for (const [index, { bugIds = [] }] of changes.entries()) {
        if (bugIds.some(id => seen.has(id)) || new Set(bugIds).size < bugIds.length)
          context.addIssue({
            code: 'custom',
            path: [index, 'bugIds'],
            message: 'A bug may be answered by one change of a version only',
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
      'The versions that the developer has published since the start, newest first, with their changes, the bugs that these answer, and what testing again has shown. For testers of the campaign, too.',
    reply: z.array(AppVersion),
  },
  publish: {
    method: 'POST',
    path: '/campaigns/:id/changes',
    access: 'DEVELOPER',
    params: ById,
    idempotent: true,
    summary:
      'Add changes to a version, which may be new. The bugs that they answer are fixed in it, and whoever reported them is asked to test again. 409 for a bug that is decided otherwise.',
    body: NewVersion,
    reply: AppVersion,
    status: 201,
    errors: ['WRONG_STATE', 'LIMIT_REACHED'],
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
