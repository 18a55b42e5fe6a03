/** What has changed for the caller, as it happens (product.md §8): as a stream, or on request. */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { Id } from '../kit/schemas.ts'
import { topics } from './terms.ts'

/** A transaction and a number within it; greater for events that become visible later. */
const Cursor = z.string().regex(/^\d{1,18}-\d{1,15}$/, { error: 'The cursor does not belong to an event' })

const LiveEvent = z.object({
  cursor: z.string(),
  topic: z.enum(topics),
  /** The campaign (CAMPAIGN), the test (TEST), the bug (BUG) or, for a new version, its campaign (BUG); null for other topics. */
  subjectId: Id.nullable(),
})

export const LiveEvents = z.object({
  events: z.array(LiveEvent),
  /** Later events follow this cursor. */
  cursor: z.string(),
  /** Something may have been missed, because the cursor is older than a week or too much has happened: load everything again. */
  reset: z.boolean(),
  /**
   * Send this as `Fieldtest-Position` with the reads that follow, because a standby may answer them; null without standbys. A
   * stream's events contain it too.
   */
  position: z.string().nullable(),
})
export type LiveEvents = z.output<typeof LiveEvents>

const mostSeconds = 600
const wrongSeconds = { error: `Seconds must be a whole number from 0 to ${mostSeconds}` }
const Seconds = z
  .string()
  .regex(/^([0-5]?\d{1,2}|600)$/, wrongSeconds)
  .meta({ examples: ['30'] })
  .transform(Number)

export const eventApi = endpoints({
  events: {
    method: 'GET',
    path: '/users/me/events',
    access: 'SIGNED_IN',
    live: true,
    summary:
      'What has changed for the caller since a cursor, or in the last given number of seconds. With `Accept: text/event-stream`, a stream that starts after `Last-Event-ID` and stays open as long as the session lasts.',
    query: z.object({
      after: Cursor.optional(),
      /** How old the shown data is; used without a cursor. */
      seconds: Seconds.prefault('0'),
    }),
    reply: LiveEvents,
    errors: ['TOO_MANY_REQUESTS', 'UNAVAILABLE'],
  },
})
