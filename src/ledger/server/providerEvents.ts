/**
 * What providers tell of by themselves: each event is stored as it came, and worked off by a job, once. Its handler looks at how
 * things are now, so that the order of events does not matter.
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

/** By type. Who adds one has it swept as well, and subscribes the webhook to it (docs/operations.md). */
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

/** As of now: what fails in a pass is not met again in it. */
const workOff = (waiting: boolean): Promise<void> => {
  const now = clock.now()
  return eachDue<DueEvent>(page => queries.dueEvents(autocommit, { now, waiting }, page), work)
}

export const workOffEvents = scheduled('ledger.provider-events', everyMinute, () => workOff(false))

/** Those that failed as well, although their next try would come later. */
export const tryAllEvents = (): Promise<void> => workOff(true)

/** What has just come in; what fails is left to the schedule above. */
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

/** Stores what has come in, once, and has it worked off at once if it is due: it alone, however many others fail. */
export const takeEvent = (event: NewEvent): Promise<void> =>
  transact(async tx => {
    const inserted = await queries.insertEvent(tx, event)
    if (inserted && event.dueAt <= clock.now()) await enqueue(tx, workOffEvent, inserted)
  })

const keptDays = 90
const emptiedAtOnce = 1000

/** Names and addresses stand in what came: it is needed no longer than somebody may ask what a provider had told (decision 050). */
export const emptyOldEvents = scheduled(
  'ledger.empty-events',
  '47 3 * * *',
  async () => {
    const before = daysAfter(clock.now(), -keptDays)
    while ((await queries.emptySome(autocommit, before, emptiedAtOnce)) === emptiedAtOnce);
  },
  { neverPaused: true },
)

/** Of Stripe's events, those that mean something here. */
export const stripeEventTypes = Object.keys(handlers).filter(type => !type.startsWith('sandbox.'))
