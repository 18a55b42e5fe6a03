/** Fetches what Stripe has not reported: a webhook got lost, or there is no event for it. */
import { clock, daysAfter, hoursAfter } from '../../../kit/clock.ts'
import { autocommit } from '../../../kit/server/db.ts'
import { allDue } from '../../../kit/server/eachDue.ts'
import { scheduled } from '../../../kit/server/jobs.ts'
import { stripeEventTypes } from '../providerEvents.ts'
import { stripeClient } from './client.ts'
import { bookStripeFees } from './fees.ts'
import { takeStripeEvent } from './inbox.ts'
import * as queries from './queries.ts'
import { secondsOf } from './times.ts'

/** Stripe keeps events for 30 days. */
const longestDays = 29
/** Stripe retries an event for up to three days, so we may still lack events that old. */
const overlapHours = 96

/** Stores the events since the last sweep, plus four days of overlap. */
const fetchStripeEvents = async (): Promise<void> => {
  const client = stripeClient()
  if (!client) return
  const now = clock.now()
  const known = await queries.sweptUntil(autocommit)
  const earliest = daysAfter(now, -longestDays)
  const last = known ? hoursAfter(known.until, -overlapHours) : earliest
  const created = { gte: secondsOf(last > earliest ? last : earliest) }
  for await (const event of client.api.events.list({ created, types: stripeEventTypes, limit: 100 }))
    await takeStripeEvent(client, event)
  await queries.setSweptUntil(autocommit, now)
}

/** Fetches both events and fees. */
export const fetchFromStripe = async (): Promise<void> => {
  await allDue([fetchStripeEvents, bookStripeFees])
}

export const sweepStripeEvents = scheduled('ledger.sweep-stripe', '17 4 * * *', fetchFromStripe)
