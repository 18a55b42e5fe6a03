/** What has changed for the caller, as it happens (product.md §8): a stream, or asked for now and then. */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { Id } from '../kit/schemas.ts'
import { topics } from './terms.ts'

/** A transaction and a number in it: greater for whatever is seen later. */
const Cursor = z.string().regex(/^\d{1,18}-\d{1,15}$/, { error: 'The cursor is not one of an event' })

const LiveEvent = z.object({
  cursor: z.string(),
  topic: z.enum(topics),
  /** The campaign (CAMPAIGN), the test (TEST), or the bug (BUG; the campaign, of a new version); null for the others. */
  subjectId: Id.nullable(),
})

export const LiveEvents = z.object({
  events: z.array(LiveEvent),
  /** What comes later follows this. */
  cursor: z.string(),
  /** Something may have been missed, since the cursor is older than a week or too much has happened: ask for everything again. */
  reset: z.boolean(),
  /**
   * To be sent as `Fieldtest-Position` with the reads that follow, which may come from a copy of the database; null where there
   * is none. Events of a stream have it too.
   */
  position: z.string().nullable(),
})
export type LiveEvents = z.output<typeof LiveEvents>

const mostSeconds = 600
const wrongSeconds = { error: `Seconds must be a whole number from 0 to ${mostSeconds}` }
const Seconds = z
  .string()
  .regex(/^\d{1,3}$/, wrongSeconds)
  .meta({ examples: ['30'] })
  .transform(Number)
  .pipe(z.int().max(mostSeconds, wrongSeconds))

export const eventApi = endpoints({
  events: {
    method: 'GET',
    path: '/users/me/events',
    access: 'SIGNED_IN',
    live: true,
    summary:
      'What has changed for the caller after a cursor, or in the last seconds. With `Accept: text/event-stream` a stream that goes on while the session lives, and begins after `Last-Event-ID`.',
    query: z.object({
      after: Cursor.optional(),
      /** Without a cursor: how old what the caller shows is. */
      seconds: Seconds.prefault('0'),
    }),
    reply: LiveEvents,
    errors: ['TOO_MANY_REQUESTS', 'UNAVAILABLE'],
  },
})
