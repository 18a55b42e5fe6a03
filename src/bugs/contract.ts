/** Bugs that testers report, and the thread of each bug (product.md §3, decision 035). */
import { z } from 'zod'
import { Attachment } from '../attachments/contract.ts'
import { Platform } from '../campaigns/contract.ts'
import { endpoints } from '../kit/endpoint.ts'
import { ById, filter, Id, Instant, KeysetQuery, optionalLine } from '../kit/schemas.ts'
import { roles } from '../kit/roles.ts'
import { BugChange, BugComment, NewBug, BugRetest } from './inputs.ts'
import { bugActions, bugEventKinds, bugSeverities, bugStatuses, bugTextForms, longest, retestResults } from './terms.ts'

export { BugChange, BugComment, NewBug, BugRetest } from './inputs.ts'

const ofBug = {
  id: Id,
  /** Counts within the campaign. */
  number: z.int(),
  title: z.string(),
  status: z.enum(bugStatuses),
  /** The version in which a FIXED bug is fixed; null otherwise. */
  fixedIn: z.string().nullable(),
  /** True if the caller reported it. */
  own: z.boolean(),
}

/** Everything that a tester sees of bugs reported by others. */
export const KnownBug = z.object({
  ...ofBug,
  /** False for another tester's bug. */
  mayOpen: z.boolean(),
})
export type KnownBug = z.output<typeof KnownBug>

/** The title is null for a tester who has left or whose NDA is not accepted, unless the bug is their own. */
export const OriginalBug = KnownBug.extend({ title: z.string().nullable() })
export type OriginalBug = z.output<typeof OriginalBug>

const Device = z.object({
  platform: Platform.nullable(),
  osVersion: z.string().nullable(),
  model: z.string(),
  manufacturer: z.string().nullable(),
})

/** The last time its reporter was asked to retest. */
const AskedRetest = z.object({
  version: z.string(),
  askedAt: Instant,
  /** Null until somebody answers. */
  result: z.enum(retestResults).nullable(),
  answeredAt: Instant.nullable(),
  /** When the question was withdrawn, because the bug is open again. */
  withdrawnAt: Instant.nullable(),
})

const reported = {
  ...ofBug,
  campaign: z.object({ id: Id, title: z.string() }),
  /** The campaign tester who found it. */
  testId: Id,
  alias: z.string(),
  severity: z.enum(bugSeverities),
  device: Device,
  appVersion: z.string().nullable(),
  duplicateOf: OriginalBug.nullable(),
  retest: AskedRetest.nullable(),
  /** False if its tester has left the test or cannot sign in: nobody is asked for a retest then. */
  canTestAgain: z.boolean(),
  comments: z.int(),
  reportedAt: Instant,
  changedAt: Instant,
}

export const BugSummary = z.object(reported)
export type BugSummary = z.output<typeof BugSummary>

export const BugEvent = z.object({
  id: z.int(),
  at: Instant,
  kind: z.enum(bugEventKinds),
  by: z.enum(roles),
  /**
   * A tester's alias. Null for the developer and admins, who have no name here, and for testers other than the caller if the caller
   * is one.
   */
  alias: z.string().nullable(),
  /** True if the caller did it. */
  own: z.boolean(),
  /** The comment, or the note of a decision. */
  text: z.string().nullable(),
  /** The number of the bug that it was marked as a duplicate of. */
  duplicateOf: z.int().nullable(),
  version: z.string().nullable(),
  severity: z.enum(bugSeverities).nullable(),
  attachments: z.array(Attachment),
})
export type BugEvent = z.output<typeof BugEvent>

export const Bug = z.object({
  ...reported,
  steps: z.string(),
  expected: z.string(),
  actual: z.string(),
  /** Comments and decisions, oldest first; the first entry is the report with its files. */
  events: z.array(BugEvent),
  /** For the owner and admins: the bugs marked as duplicates of this one. */
  duplicates: z.array(KnownBug),
  actions: z.array(z.enum(bugActions)),
})
export type Bug = z.output<typeof Bug>

/** Leaves out this bug and all duplicates, so that only possible originals remain. */
const originalsFor = Id.optional()

const filters = {
  originalsFor,
  status: filter(bugStatuses, 'Unknown status'),
  severity: filter(bugSeverities, 'Unknown severity'),
  search: optionalLine('Search', 100).optional(),
}

const BugQuery = KeysetQuery.extend(filters)
export type BugQuery = z.output<typeof BugQuery>

const SimilarQuery = z.object({ originalsFor, title: optionalLine('Title', longest.title).default('') })
export type SimilarQuery = z.output<typeof SimilarQuery>

const inside = { access: ['DEVELOPER', 'TESTER', 'ADMIN'], params: ById } as const
const asFile = { ...inside, method: 'GET', report: true, replica: true } as const

export const bugApi = endpoints({
  list: {
    ...inside,
    method: 'GET',
    path: '/campaigns/:id/bugs',
    revalidated: true,
    summary: 'The bugs of a campaign, newest first. Its owner and admins see all of them, testers their own.',
    query: BugQuery,
    pageOf: BugSummary,
  },
  similar: {
    ...inside,
    method: 'GET',
    path: '/campaigns/:id/similar-bugs',
    summary:
      'Up to five bugs of the campaign with similar titles, most similar first. Testers of the campaign see their numbers, titles and states. 409 before a tester has accepted the NDA.',
    query: SimilarQuery,
    reply: z.array(KnownBug),
    errors: ['WRONG_STATE'],
  },
  report: {
    method: 'POST',
    path: '/campaigns/:id/bugs',
    access: 'TESTER',
    params: ById,
    idempotent: true,
    summary:
      'Report a bug in the app. Device and system are those of the test. 409 once the test is over, before its NDA is accepted, or above 20 reports in 24 hours.',
    body: NewBug,
    reply: Bug,
    status: 201,
    errors: ['WRONG_STATE', 'LIMIT_REACHED'],
  },
  csv: {
    ...asFile,
    path: '/campaigns/:id/bugs.csv',
    summary: 'All bugs of a campaign as CSV; for a tester, their own.',
    file: ['text/csv'],
  },
  text: {
    ...asFile,
    access: ['DEVELOPER', 'ADMIN'],
    path: '/campaigns/:id/bugs.md',
    summary:
      'All bugs of a campaign for an issue tracker: as Markdown or, with `form=github`, in the style of GitHub’s issue forms.',
    query: z.object({ form: filter(bugTextForms, 'The form must be markdown or github') }),
    file: ['text/markdown'],
  },
  get: {
    ...inside,
    method: 'GET',
    path: '/bugs/:id',
    revalidated: true,
    summary: 'A bug with its thread: for the tester who reported it, the campaign’s owner and admins.',
    reply: Bug,
  },
  change: {
    method: 'PATCH',
    path: '/bugs/:id',
    access: ['DEVELOPER', 'ADMIN'],
    params: ById,
    summary:
      'Decide on a bug: another severity, or CONFIRMED, DUPLICATE with `duplicateOf`, FIXED with `fixedIn`, WONT_FIX, or OPEN again. Its tester is told. 409 for a developer above 50 decisions on the bug, or above 300 entries on bugs in 24 hours.',
    body: BugChange,
    reply: Bug,
    errors: ['WRONG_STATE', 'LIMIT_REACHED'],
  },
  comment: {
    ...inside,
    method: 'POST',
    path: '/bugs/:id/comments',
    idempotent: true,
    summary:
      'Comment on a bug, with up to five files. The other side is notified. 409 above 200 comments on the bug, or in 24 hours above 100 comments by a tester or 300 entries by a developer.',
    body: BugComment,
    reply: Bug,
    status: 201,
    errors: ['WRONG_STATE', 'LIMIT_REACHED'],
  },
  retest: {
    method: 'POST',
    path: '/bugs/:id/retest',
    access: 'TESTER',
    params: ById,
    summary:
      'Record the retest of a bug that is marked as fixed: WORKS, or STILL_BROKEN, which reopens it. 409 unless a retest was requested.',
    body: BugRetest,
    reply: Bug,
    idempotent: true,
    errors: ['WRONG_STATE'],
  },
})
