import type { Stripe } from 'stripe'
import { clock } from '../../../kit/clock.ts'
import { takeEvent } from '../providerEvents.ts'
import type { StripeClient } from './client.ts'
import { isOurs, otherInstallation } from './installation.ts'

type Told = { id?: string; metadata?: Stripe.Metadata | null }
type Arrived = { id: string; type: string; data: { object: object } }

/**
 * Stores which of our subjects an event of Stripe is about, and has it handled. Nothing else is stored, since events name people,
 * with their addresses, and the handlers ask Stripe for the present state anyway. Stripe sends all events of an account to each of
 * its installations, so other installations' events are skipped.
 */
export const takeStripeEvent = async (client: StripeClient, event: Arrived): Promise<void> => {
  const { id, metadata } = event.data.object as Told
  if (otherInstallation(client, metadata) !== undefined) return
  const object = isOurs(client, metadata) ? { id, metadata } : { id }
  const now = clock.now()
  const { id: eventId, type } = event
  await takeEvent({ provider: 'stripe', eventId, type, payload: { data: { object } }, receivedAt: now, dueAt: now })
}
