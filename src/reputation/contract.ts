/** What testers and developers have shown of themselves so far, for each other before they commit (decision 040). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Id } from '../kit/schemas.ts'
import { mostAsked } from './terms.ts'

/** `count` of the newest `of` cases; of is 5, 10 or 20. */
const Share = z.object({ count: z.int(), of: z.int() })

/** Each figure is null while there are fewer than 5 cases. */
export const TesterReputation = z.object({
  /** Verified tests: at least so many, in steps. */
  testsDone: z.int().nullable(),
  /** Days checked in of those that were due, in the newest `of` tests; in steps of 5 percent. */
  daysKept: z.object({ percent: z.int(), of: z.int() }).nullable(),
  /** Proofs that were verified as they were first submitted. */
  firstTry: Share.nullable(),
  /** Tests whose seat the tester gave up or lost. */
  seatsLeft: Share.nullable(),
})
export type TesterReputation = z.output<typeof TesterReputation>

export const DeveloperReputation = z.object({
  /** Verified tests of all campaigns: at least so many, in steps. */
  testsDone: z.int().nullable(),
  /** Half of the newest `of` proofs were answered within so many hours; silence counts in full. */
  answerTime: z.object({ hours: z.int(), of: z.int() }).nullable(),
  /** Proofs that were rejected, also where an appeal overturned it. */
  rejected: Share.nullable(),
  /** Appeals against rejections that an admin granted. */
  appealsLost: Share.nullable(),
})
export type DeveloperReputation = z.output<typeof DeveloperReputation>

const Ids = z
  .string({ error: 'Say which developers' })
  .max(mostAsked * 37, { error: `At most ${mostAsked} developers at once` })
  .meta({ examples: ['019ab5a4-0000-7000-8000-000000000001,019ab5a4-0000-7000-8000-000000000002'] })
  .transform(list => list.split(','))
  .pipe(
    z
      .array(Id)
      .min(1)
      .max(mostAsked, { error: `At most ${mostAsked} developers at once` }),
  )

export const reputationApi = endpoints({
  testers: {
    method: 'GET',
    path: '/campaigns/:id/testers/reputation',
    replica: true,
    access: ['DEVELOPER', 'ADMIN'],
    revalidated: true,
    summary:
      'The track records in other campaigns of the testers with open tests in this one, by campaign tester id. Rounded, so that nobody can be identified.',
    params: ById,
    reply: z.array(TesterReputation.extend({ id: Id })),
  },
  developers: {
    method: 'GET',
    path: '/developers/reputation',
    replica: true,
    access: 'TESTER',
    revalidated: true,
    summary: 'How these developers review. Takes up to 100 developer ids, separated by commas.',
    query: z.object({ ids: Ids }),
    reply: z.array(DeveloperReputation.extend({ developerId: Id })),
  },
  own: {
    method: 'GET',
    path: '/users/me/reputation',
    replica: true,
    access: ['DEVELOPER', 'TESTER'],
    revalidated: true,
    summary: 'What the other side sees of the caller, as a tester or as a developer.',
    reply: z.object({ tester: TesterReputation.nullable(), developer: DeveloperReputation.nullable() }),
  },
})
