import type { Stripe } from 'stripe'
import { clock } from '../../../kit/clock.ts'
import { takeEvent } from '../providerEvents.ts'
import type { StripeClient } from './client.ts'
import { otherInstallation } from './installation.ts'

type Arrived = { id: string; type: string; data: { object: object } }

/**
 * Stores an event of Stripe and has it handled. Stripe sends all events of an account to each of its installations, so other
 * installations' events are skipped: we do not keep the names and addresses of their people.
 */
export const takeStripeEvent = async (client: StripeClient, event: Arrived): Promise<void> => {
  const { metadata } = event.data.object as { metadata?: Stripe.Metadata | null }
  if (otherInstallation(client, metadata) !== undefined) return
  const now = clock.now()
  const { id: eventId, type } = event
  await takeEvent({ provider: 'stripe', eventId, type, payload: event, receivedAt: now, dueAt: now })
}
