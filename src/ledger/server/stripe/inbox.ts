import type { Instant } from '../../../kit/clock.ts'
import type { NewEvent } from '../providerEvents.queries.ts'

/** An event of Stripe as it is stored. */
export const arrived = (event: { id: string; type: string }, now: Instant): NewEvent => ({
  provider: 'stripe',
  eventId: event.id,
  type: event.type,
  payload: event,
  receivedAt: now,
  dueAt: now,
})
