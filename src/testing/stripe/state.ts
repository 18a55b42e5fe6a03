/** What the fake knows: its objects, its clock and the money in the platform's account, all in memory. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { invalidRequest, noSuch } from './refusals.ts'
import { randomOf } from '../seed.ts'

export type Fields = Record<string, unknown>
export type StripeObject = { id: string; object: string } & Fields

const samples = (
  JSON.parse(readFileSync(join(import.meta.dirname, 'samples.json'), 'utf8')) as { resources: Record<string, Fields> }
).resources

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export type StateOptions = {
  /** The same seed produces the same ids, order of events and lost answers. */
  seed?: number
  /** Milliseconds since 1970. The default is a clock of its own, which `advance` moves. */
  now?: () => number
  /** Days until the money of a payment is available. */
  pendingDays?: number
  /** Whether a refund that the balance does not cover is refused or waits as `pending` (Stripe does both, by region). */
  uncoveredRefunds?: 'refuse' | 'pending'
  /** How many days keys of v1 are kept: one, as at Stripe, unless the run plays a day in a second. */
  keyDays?: number
  /** Where people pay and onboard: Stripe's own addresses, or the fake's pages. */
  pages?: string
}

export type Booking = { type: string; amount: number; fee?: number; source: string | null; availableInDays?: number }

export type State = ReturnType<typeof stateOf>

export const stateOf = ({
  seed = 1,
  now,
  pendingDays = 2,
  uncoveredRefunds = 'refuse',
  keyDays = 1,
  pages,
}: StateOptions = {}) => {
  const random = randomOf(seed)
  let ownMs = Date.UTC(2026, 0, 1)
  const clock = now ?? (() => ownMs)
  const objects = new Map<string, StripeObject>()
  let counter = 0

  const seconds = () => Math.floor(clock() / 1000)

  /** As long as Stripe's ids, and in the order in which they were created. */
  const newId = (prefix: string) => {
    const tail = Array.from({ length: 10 }, () => 'abcdefghijkmnpqrstuvwxyz23456789'[Math.floor(random() * 32)]).join(
      '',
    )
    return `${prefix}_${String(++counter).padStart(8, '0')}${tail}`
  }

  /** Starts from Stripe's sample object, so that it has every field of the newer version. */
  const add = (type: string, id: string, fields: Fields): StripeObject => {
    const sample = structuredClone(samples[type] ?? {})
    const made = { ...sample, created: seconds(), ...fields, id, object: type, livemode: false }
    objects.set(id, made)
    return made
  }

  const find = (id: string, object: string): StripeObject => {
    const found = objects.get(id)
    if (found?.object !== object) throw noSuch(object.replaceAll('.', ' '), id)
    return found
  }

  /** Newest first, as in Stripe's lists. */
  const all = (object: string): StripeObject[] =>
    [...objects.values()].filter(candidate => candidate.object === object).toReversed()

  const book = ({ type, amount, fee = 0, source, availableInDays = 0 }: Booking): StripeObject =>
    add('balance_transaction', newId('txn'), {
      type,
      amount,
      fee,
      net: amount - fee,
      source,
      currency: 'usd',
      description: null,
      reporting_category: type,
      available_on: seconds() + availableInDays * 86_400,
      fee_details:
        fee === 0
          ? []
          : [{ amount: fee, application: null, currency: 'usd', description: 'Stripe fees', type: 'stripe_fee' }],
    })

  const sumOf = (wanted: (transaction: StripeObject) => boolean) =>
    all('balance_transaction')
      .filter(wanted)
      .reduce((sum, { net }) => sum + Number(net), 0)
  const isAvailable = ({ available_on: from }: StripeObject) => Number(from) <= seconds()
  const availableCents = () => sumOf(isAvailable)
  const pendingCents = () => sumOf(transaction => !isAvailable(transaction))

  const assertCovered = (amount: number) => {
    if (amount <= availableCents()) return
    throw invalidRequest(
      'You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance by creating Charges using the 4000000000000077 test card. See: https://stripe.com/docs/testing#available-balance',
      { code: 'balance_insufficient' },
    )
  }

  const emit = (type: string, object: StripeObject, request: Fields = { id: null, idempotency_key: null }) =>
    add('event', newId('evt'), {
      type,
      api_version: '2026-10-28.endive',
      data: { object: structuredClone(object) },
      pending_webhooks: 1,
      request,
    })

  return {
    random,
    nowMs: clock,
    seconds,
    /** Moves the fake's own clock; a clock that was passed in is moved by its owner. */
    advance: (ms: number) => {
      if (now) throw new Error('the clock was given from outside: move that one')
      ownMs += ms
    },
    newId,
    add,
    find,
    objectOf: (id: string): StripeObject | undefined => objects.get(id),
    all,
    book,
    availableCents,
    pendingCents,
    assertCovered,
    emit,
    pendingDays,
    uncoveredRefunds,
    keyDays,
    pages,
  }
}
