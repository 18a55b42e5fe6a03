/**
 * Signed webhooks as Stripe sends them: in any order, some of them twice, some of them days late, and again if the receiver does
 * not answer 2xx. The seed decides which.
 */
import { createHmac } from 'node:crypto'
import { shuffled } from '../seed.ts'
import { dayMs, hourMs, type StripeObject, type State } from './state.ts'

/** `Stripe-Signature` (docs.stripe.com/webhooks#verify-manually): HMAC-SHA256 over the time and the body. */
const signatureOf = (secret: string, body: string, atSeconds: number): string =>
  `t=${atSeconds},v1=${createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')}`

type Receiver = (body: string, headers: Record<string, string>) => Promise<number>

export type WebhookOptions = {
  secret: string
  send: Receiver
  /** The event types that the endpoint is subscribed to; all by default. */
  types?: readonly string[]
  /** The share of events that are sent twice, and the share that come up to three days late. */
  repeated?: number
  late?: number
  /** Whether due events are sent in a different order than they happened. */
  shuffle?: boolean
}

type Delivery = { event: StripeObject; dueMs: number; tries: number }

const longestDelayMs = 3 * dayMs

export const webhooksOf = (state: State) => {
  let options: WebhookOptions | undefined
  let queue: Delivery[] = []
  const queued = new Set<string>()

  const enqueue = ({ types, repeated = 0, late = 0 }: WebhookOptions) => {
    for (const event of state.all('event').toReversed()) {
      if (queued.has(event.id)) continue
      queued.add(event.id)
      if (types && !types.includes(String(event.type))) continue
      const times = state.random() < repeated ? 2 : 1
      for (let time = 0; time < times; time++) {
        const delayMs = state.random() < late ? Math.floor(state.random() * longestDelayMs) : 0
        queue.push({ event, dueMs: state.nowMs() + delayMs, tries: 0 })
      }
    }
  }

  const send = async ({ secret, send: deliver }: WebhookOptions, delivery: Delivery): Promise<number> => {
    const body = JSON.stringify(delivery.event, null, 2)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      // Each attempt has its own time and signature.
      'stripe-signature': signatureOf(secret, body, state.seconds()),
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    }
    const status = await deliver(body, headers).catch(() => 0)
    delivery.tries++
    const giveUp = delivery.tries > 10 || state.nowMs() - Number(delivery.event.created) * 1000 > 2 * longestDelayMs
    if ((status < 200 || status > 299) && !giveUp) {
      queue.push({ ...delivery, dueMs: state.nowMs() + hourMs * 2 ** Math.min(delivery.tries - 1, 4) })
    }
    return status
  }

  return {
    configure: (wanted: WebhookOptions): void => {
      options = wanted
    },
    /** Sends what is due; returns the types of the events, and how the receiver answered. */
    deliver: async (): Promise<{ id: string; type: string; status: number }[]> => {
      if (!options) throw new Error('no webhook is configured')
      enqueue(options)
      const due = queue.filter(({ dueMs }) => dueMs <= state.nowMs())
      queue = queue.filter(({ dueMs }) => dueMs > state.nowMs())
      const sent: { id: string; type: string; status: number }[] = []
      for (const delivery of options.shuffle === true ? shuffled(due, state.random) : due) {
        const status = await send(options, delivery)
        sent.push({ id: delivery.event.id, type: String(delivery.event.type), status })
      }
      return sent
    },
    /** Drops all events that have not been sent yet, as when the endpoint was switched off. */
    lose: (): number => {
      if (options) enqueue(options)
      const lost = queue.length
      queue = []
      return lost
    },
    waiting: () => {
      if (options) enqueue(options)
      return queue.length
    },
  }
}
