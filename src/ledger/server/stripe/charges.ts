/** Charges: each has a Checkout Session, on whose page the developer pays. */
import type { Stripe } from 'stripe'
import { hoursAfter } from '../../../kit/clock.ts'
import { paths } from '../../../kit/paths.ts'
import { autocommit } from '../../../kit/server/db.ts'
import type { LostCharge } from '../lostMovements.queries.ts'
import type { Answer, Asked, Paid } from '../provider.ts'
import { isCheckoutAddress, type StripeClient } from './client.ts'
import { assertOurs, marked } from './installation.ts'
import * as queries from './queries.ts'
import { cardSentence, isDefinite, isKeyOfAnother } from './refusals.ts'
import { instantOf, secondsOf } from './times.ts'

/** Everything that shows the state of a session, including the fee that Stripe kept. */
const expand = ['payment_intent.latest_charge.balance_transaction']
const expandInList = expand.map(path => `data.${path}`)

const itemOf = (name: string, cents: number) => ({
  quantity: 1,
  price_data: { currency: 'usd', unit_amount: cents, product_data: { name } },
})

/**
 * The parameters must be identical each time, because Stripe compares them with the first use of the key. Changing a draft's title
 * therefore ends its charge first.
 */
const sessionOf = (
  { key, subjectId, of }: Asked,
  { title, email, payCents, feeCents }: queries.ChargeFacts,
  client: StripeClient,
): Stripe.Checkout.SessionCreateParams => {
  const metadata = marked(client, { charge: subjectId, call: key, campaign: of })
  const back = (how: string) => `${client.settings.publicUrl}${paths.campaign(of)}?payment=${how}`
  return {
    mode: 'payment',
    line_items: [
      ...(payCents > 0 ? [itemOf(`Testers’ pay: ${title}`.slice(0, 250), payCents)] : []),
      ...(feeCents > 0 ? [itemOf('Platform fee', feeCents)] : []),
    ],
    customer_email: email,
    // Charged in dollars whatever the card's currency, since our books know no other.
    adaptive_pricing: { enabled: false },
    client_reference_id: subjectId,
    metadata,
    // With Stripe's default, the fee is known only later.
    payment_intent_data: { capture_method: 'automatic', metadata, transfer_group: `campaign_${of}` },
    success_url: back('made'),
    cancel_url: back('left'),
  }
}

const isObject = <T extends object>(value: string | T | null | undefined): value is T =>
  typeof value === 'object' && value !== null

/** Undefined until Stripe has booked the fee. */
const feeOf = (intent: Stripe.PaymentIntent): number | undefined => {
  const charge = intent.latest_charge
  const booked = isObject(charge) ? charge.balance_transaction : null
  return isObject(booked) ? booked.fee : undefined
}

/** In any other status the payment may still succeed: a bank debit does so days later, once two small deposits are verified. */
const hasFailed = ({ status }: Stripe.PaymentIntent) => status === 'requires_payment_method' || status === 'canceled'

/** Translates the state of a session into an answer. */
const answerOf = (
  session: Stripe.Checkout.Session,
  { amountCents }: Pick<Asked, 'amountCents'>,
  { settings }: StripeClient,
): Answer => {
  const { id, status, payment_status: paid, payment_intent: intent, url } = session
  if (paid === 'paid') {
    if (!isObject(intent)) throw new Error(`session ${id} is paid by a payment that Stripe does not show`)
    if (session.amount_total !== amountCents || session.currency !== 'usd') {
      throw new Error(`session ${id} was paid with ${session.amount_total} ${session.currency}, not ${amountCents} usd`)
    }
    const feeCents = feeOf(intent)
    return feeCents === undefined
      ? { outcome: 'PENDING', reference: id, isCollecting: true }
      : { outcome: 'DONE', reference: intent.id, feeCents }
  }
  if (status === 'expired') return { outcome: 'EXPIRED' }
  if (status === 'complete' && isObject(intent) && hasFailed(intent)) {
    return { outcome: 'REFUSED', reason: intent.last_payment_error?.message ?? 'The payment could not be collected.' }
  }
  if (status !== 'open' || url === null) return { outcome: 'PENDING', reference: id, isCollecting: true }
  if (!isCheckoutAddress(url, settings))
    throw new Error(`session ${id} would be paid at an address that is not Stripe’s`)
  return { outcome: 'PENDING', reference: id, checkoutUrl: url }
}

const retrieve = ({ api }: StripeClient, id: string) => api.checkout.sessions.retrieve(id, { expand })

/** Ranks sessions by how much they tell us. A charge may have two if a restored copy did not know of the first. */
const weightOf = ({ payment_status: paid, status }: Stripe.Checkout.Session): number =>
  paid === 'paid' ? 3 : ['expired', 'open', 'complete'].indexOf(status ?? '')

/**
 * Searches sessions that were made after the charge was recorded, allowing for clock differences. After a restore, the charge may
 * have been sent later than we know.
 */
const findSession = async (client: StripeClient, { subjectId, begunAt, sentAt, mayBeMade }: Asked) => {
  const from = begunAt < sentAt ? begunAt : sentAt
  const created = {
    gte: secondsOf(hoursAfter(from, -1)),
    ...(!mayBeMade && { lte: secondsOf(hoursAfter(sentAt, 25)) }),
  }
  let found: Stripe.Checkout.Session | undefined
  for await (const session of client.api.checkout.sessions.list({ created, limit: 100, expand: expandInList })) {
    if (session.metadata?.['charge'] !== subjectId) continue
    assertOurs(client, session)
    if (!found || weightOf(session) > weightOf(found)) found = session
  }
  return found
}

/**
 * The session in its present state, which this makes under the key if there is none yet. Returns `refused` if Stripe refused it.
 */
const currentSession = async (
  client: StripeClient,
  asked: Asked,
): Promise<Stripe.Checkout.Session | { refused: string }> => {
  const known = await queries.referenceOf(autocommit, asked.key)
  if (known?.startsWith('cs_') === true) return retrieve(client, known)
  const facts = await queries.chargeFacts(autocommit, asked.subjectId)
  const params = sessionOf(asked, facts, client)
  try {
    const made = await client.api.checkout.sessions.create(params, { idempotencyKey: asked.key })
    // A reply replayed under a key shows the old state.
    return made.lastResponse.headers['idempotent-replayed'] === 'true' ? await retrieve(client, made.id) : made
  } catch (error) {
    if (isKeyOfAnother(error)) {
      const found = await findSession(client, asked)
      if (found) return found
    }
    if (!isDefinite(error)) throw error
    return { refused: cardSentence(error) ?? 'The payment provider did not accept this payment.' }
  }
}

export const charge = async (client: StripeClient, asked: Asked): Promise<Answer> => {
  const session = await currentSession(client, asked)
  return 'refused' in session ? { outcome: 'REFUSED', reason: session.refused } : answerOf(session, asked, client)
}

/** Undefined if there is none, or none can be found. */
const existingSession = async (client: StripeClient, asked: Asked) => {
  const known = await queries.referenceOf(autocommit, asked.key)
  return known?.startsWith('cs_') === true ? retrieve(client, known) : findSession(client, asked)
}

/**
 * Ends the session. If there is none yet, one is made first and then ended, so that a request still on its way cannot make
 * another.
 */
export const endCharge = async (
  client: StripeClient,
  asked: Asked,
  { maySend }: { maySend: boolean },
): Promise<void> => {
  const existing = maySend && !asked.mayBeMade ? undefined : await existingSession(client, asked)
  const session = existing ?? (maySend ? await currentSession(client, asked) : undefined)
  if (session === undefined || 'refused' in session || session.status !== 'open') return
  await client.api.checkout.sessions.expire(session.id).catch((error: unknown) => {
    // It was paid, or expired by itself, just now.
    if (!isDefinite(error)) throw error
  })
}

export const lookUpCharge = async (client: StripeClient, asked: Asked): Promise<Answer | 'NOT_MADE'> => {
  const session = await existingSession(client, asked)
  return session ? answerOf(session, asked, client) : 'NOT_MADE'
}

/** `id` is a session, or a charge that was made in one. */
const sessionBehind = async (client: StripeClient, id: string) => {
  if (id.startsWith('cs_')) return retrieve(client, id)
  const { payment_intent: intent } = await client.api.charges.retrieve(id)
  if (typeof intent !== 'string') return undefined
  const { data } = await client.api.checkout.sessions.list({ payment_intent: intent, expand: expandInList })
  return data[0]
}

/** A charge that was paid on a page made before `before`, according to the session; undefined until Stripe has booked its fee. */
export const lostBehind = async (
  client: StripeClient,
  id: string,
  { chargeId, before }: { chargeId: string; before: string },
): Promise<LostCharge | undefined> => {
  const session = await sessionBehind(client, id)
  if (!session || session.metadata?.['charge'] !== chargeId || session.created > secondsOf(before)) return undefined
  const { amount_total: amountCents, created, metadata } = session
  if (amountCents === null) return undefined
  const paid = answerOf(session, { amountCents }, client)
  if (paid.outcome !== 'DONE') return undefined
  return {
    id: chargeId,
    campaignId: metadata['campaign'] ?? chargeId,
    amountCents,
    feeCents: paid.feeCents ?? 0,
    provider: 'stripe',
    reference: paid.reference,
    at: instantOf(created),
  }
}

/** What was paid; undefined until Stripe has booked its fee. */
export const paidBehind = async (
  client: StripeClient,
  id: string,
  asked: Pick<Asked, 'amountCents'>,
): Promise<Paid | undefined> => {
  const session = await sessionBehind(client, id)
  const answer = session && answerOf(session, asked, client)
  return answer?.outcome === 'DONE' ? answer : undefined
}
