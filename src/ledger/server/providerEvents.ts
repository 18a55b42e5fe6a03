/**
 * Events that providers send: each is stored as it arrived, and a job handles it once. Its handler looks up the present state, so
 * the order of events does not matter.
 */
import { clock, daysAfter } from '../../kit/clock.ts'
import { autocommit, transact } from '../../kit/server/db.ts'
import { eachDue } from '../../kit/server/eachDue.ts'
import { enqueue, everyMinute, type Job, scheduled } from '../../kit/server/jobs.ts'
import { payoutReturned } from './payouts.ts'
import type { EventHandler } from './eventHandler.ts'
import type { DueEvent, NewEvent, ProviderEvent } from './providerEvents.queries.ts'
import * as queries from './providerEvents.queries.ts'
import { disputeBy } from './disputes.queries.ts'
import { disputeChanged } from './disputes.ts'
import { recordDisputeLost, recordReturn, type SandboxDispute } from './sandbox.ts'
import { stripeEventHandlers } from './stripe/events.ts'

/** The handlers by type. If you add one, also add it to the sweep, and subscribe the webhook to it (docs/operations.md). */
const handlers: Record<string, EventHandler> = {
  ...stripeEventHandlers,
  'sandbox.payout_returned': async payload => {
    const { withdrawalId } = payload as { withdrawalId: string }
    await recordReturn(withdrawalId)
    return payoutReturned(withdrawalId)
  },
  'sandbox.dispute': async payload => {
    const { chargeId: paymentId, amountCents, status, at } = payload as SandboxDispute
    const reference = `sandbox-dispute:${paymentId}`
    const known = await disputeBy(autocommit, 'sandbox', reference)
    if (status === 'LOST' && known?.status !== 'WON') await recordDisputeLost(paymentId, amountCents)
    return async tx => {
      const news = {
        provider: 'sandbox',
        reference,
        paymentId,
        amountCents,
        reason: 'The sandbox disputes this charge, as it was asked to.',
      }
      await disputeChanged(tx, { ...news, status, at, evidenceDueAt: status === 'OPEN' ? daysAfter(at, 7) : null })
    }
  },
}

const work = async (event: ProviderEvent): Promise<void> => {
  try {
    const effect = await handlers[event.type]?.(event.payload)
    await transact(async tx => {
      if ((await queries.setProcessed(tx, event.id, clock.now())) === 1) await effect?.(tx)
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await queries.setFailed(autocommit, event.id, reason, clock.now())
    throw error
  }
}

/** Handles what is due now. An event that fails in a pass does not come up again in the same pass. */
const workOff = (waiting: boolean): Promise<void> => {
  const now = clock.now()
  return eachDue<DueEvent>(page => queries.dueEvents(autocommit, { now, waiting }, page), work)
}

export const workOffEvents = scheduled('ledger.provider-events', everyMinute, () => workOff(false))

/** Also tries events that have failed and whose next try would come later. */
export const tryAllEvents = (): Promise<void> => workOff(true)

/** Handles an event that has just arrived. If it fails, the schedule above takes over. */
export const workOffEvent: Job<{ id: string }> = {
  name: 'ledger.provider-event',
  expireMinutes: 10,
  atOnce: 10,
  retried: false,
  run: async ({ id }) => {
    const event = await queries.dueEvent(autocommit, id, clock.now())
    if (event) await work(event)
  },
}

/** Stores an event once. If it is due, a job handles it right away, alone, so that other failing events cannot delay it. */
export const takeEvent = (event: NewEvent): Promise<void> =>
  transact(async tx => {
    const inserted = await queries.insertEvent(tx, event)
    if (inserted && event.dueAt <= clock.now()) await enqueue(tx, workOffEvent, inserted)
  })

const keptDays = 90
const emptiedAtOnce = 1000

/**
 * Events contain names and addresses, so we keep their content only as long as someone may ask what a provider had reported
 * (decision 050).
 */
export const emptyOldEvents = scheduled(
  'ledger.empty-events',
  '47 3 * * *',
  async () => {
    const before = daysAfter(clock.now(), -keptDays)
    while ((await queries.emptySome(autocommit, before, emptiedAtOnce)) === emptiedAtOnce);
  },
  { neverPaused: true },
)

/** The types of Stripe's events that mean something here. */
export const stripeEventTypes = Object.keys(handlers).filter(type => !type.startsWith('sandbox.'))
