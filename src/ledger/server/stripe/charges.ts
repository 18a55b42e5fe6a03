/** Charges: a Checkout Session for each, on whose page the developer pays. */
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

/** What says how a session stands, down to what Stripe kept for itself. */
const expand = ['payment_intent.latest_charge.balance_transaction']
const expandInList = expand.map(path => `data.${path}`)

const itemOf = (name: string, cents: number) => ({
  quantity: 1,
  price_data: { currency: 'usd', unit_amount: cents, product_data: { name } },
})

/**
 * The same for the same charge, whenever it is asked for: Stripe compares it with what the key was first used with. A draft whose
 * title changes ends its charge first.
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
    // Paid in dollars, whatever the card is in: our books know no other currency.
    adaptive_pricing: { enabled: false },
    client_reference_id: subjectId,
    metadata,
    // By default what Stripe kept for itself is known only later.
    payment_intent_data: { capture_method: 'automatic', metadata, transfer_group: `campaign_${of}` },
    success_url: back('made'),
    cancel_url: back('left'),
  }
}

const isObject = <T extends object>(value: string | T | null | undefined): value is T =>
  typeof value === 'object' && value !== null

/** Undefined until Stripe has booked it. */
const feeOf = (intent: Stripe.PaymentIntent): number | undefined => {
  const charge = intent.latest_charge
  const booked = isObject(charge) ? charge.balance_transaction : null
  return isObject(booked) ? booked.fee : undefined
}

/** In any other status it may still pay: a bank debit does so days later, once two small deposits are verified. */
const hasFailed = ({ status }: Stripe.PaymentIntent) => status === 'requires_payment_method' || status === 'canceled'

/** How a session stands, as an answer. */
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
      ? { outcome: 'PENDING', reference: id }
      : { outcome: 'DONE', reference: intent.id, feeCents }
  }
  if (status === 'expired') return { outcome: 'EXPIRED' }
  if (status === 'complete' && isObject(intent) && hasFailed(intent)) {
    return { outcome: 'REFUSED', reason: intent.last_payment_error?.message ?? 'The payment method did not pay.' }
  }
  if (status !== 'open' || url === null) return { outcome: 'PENDING', reference: id }
  if (!isCheckoutAddress(url, settings))
    throw new Error(`session ${id} would be paid at an address that is not Stripe’s`)
  return { outcome: 'PENDING', reference: id, checkoutUrl: url }
}

const retrieve = ({ api }: StripeClient, id: string) => api.checkout.sessions.retrieve(id, { expand })

/** How much a session says. Of a charge there may be two, when a restored copy did not know of the first. */
const weightOf = ({ payment_status: paid, status }: Stripe.Checkout.Session): number =>
  paid === 'paid' ? 3 : ['expired', 'open', 'complete'].indexOf(status ?? '')

/** Made after the charge was recorded, by either clock. Before a restore it may have been sent later than is known here. */
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

/** As it is now. Under the key there is one, which this makes if need be; undefined when it was refused. */
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
    // What is replayed under a key is as it was then.
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

/** Undefined when there is none, or none is found. */
const existingSession = async (client: StripeClient, asked: Asked) => {
  const known = await queries.referenceOf(autocommit, asked.key)
  return known?.startsWith('cs_') === true ? retrieve(client, known) : findSession(client, asked)
}

/** One that was never made is made first, and ended: a request for it that is still on its way makes no other. */
export const endCharge = async (
  client: StripeClient,
  asked: Asked,
  { maySend }: { maySend: boolean },
): Promise<void> => {
  const existing = maySend && !asked.mayBeMade ? undefined : await existingSession(client, asked)
  const session = existing ?? (maySend ? await currentSession(client, asked) : undefined)
  if (session === undefined || 'refused' in session || session.status !== 'open') return
  await client.api.checkout.sessions.expire(session.id).catch((error: unknown) => {
    // Paid, or expired by itself, in this moment.
    if (!isDefinite(error)) throw error
  })
}

export const lookUpCharge = async (client: StripeClient, asked: Asked): Promise<Answer | 'NOT_MADE'> => {
  const session = await existingSession(client, asked)
  return session ? answerOf(session, asked, client) : 'NOT_MADE'
}

/** `id` is of a session, or of a charge that was made in one. */
const sessionBehind = async (client: StripeClient, id: string) => {
  if (id.startsWith('cs_')) return retrieve(client, id)
  const { payment_intent: intent } = await client.api.charges.retrieve(id)
  if (typeof intent !== 'string') return undefined
  const { data } = await client.api.checkout.sessions.list({ payment_intent: intent, expand: expandInList })
  return data[0]
}

/** Paid on a page that was made before `before`, by its own word; undefined until Stripe knows what it keeps of it. */
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

/** What was paid, once Stripe knows what it keeps of it. */
export const paidBehind = async (
  client: StripeClient,
  id: string,
  asked: Pick<Asked, 'amountCents'>,
): Promise<Paid | undefined> => {
  const session = await sessionBehind(client, id)
  const answer = session && answerOf(session, asked, client)
  return answer?.outcome === 'DONE' ? answer : undefined
}
