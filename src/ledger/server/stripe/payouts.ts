/** Payouts and refunds: transfers to testers' accounts, and money back to the payment method that was charged. */
import type { Stripe } from 'stripe'
import { autocommit } from '../../../kit/server/db.ts'
import { notCoveredSentence as notCovered } from '../../rules.ts'
import type { Answer, Asked } from '../provider.ts'
import { refreshAccount } from './accounts.ts'
import type { StripeClient } from './client.ts'
import { assertOurs, marked } from './installation.ts'
import * as queries from './queries.ts'
import { codeOf, isDefinite, isKeyOfAnother, isUncovered } from './refusals.ts'

const groupOf = ({ subjectId }: Asked) => `withdrawal_${subjectId}`

const notReady = 'Your payout account at Stripe is not ready. Complete it, and withdraw again.'

const cameBack = 'The payout was returned by your payout account.'

/** Finds the transfer, whichever attempt made it. */
const findTransfer = async (client: StripeClient, asked: Asked): Promise<Answer | 'NOT_MADE'> => {
  let isReversed = false
  for await (const transfer of client.api.transfers.list({ transfer_group: groupOf(asked), limit: 100 })) {
    assertOurs(client, transfer)
    const { id, amount, currency, reversed } = transfer
    isReversed ||= reversed
    if (reversed) continue
    if (amount !== asked.amountCents || currency !== 'usd')
      throw new Error(`transfer ${id} of ${amount} ${currency} is not the withdrawal ${asked.subjectId}`)
    return { outcome: 'DONE', reference: id }
  }
  return isReversed ? { outcome: 'REFUSED', reason: cameBack } : 'NOT_MADE'
}

/** The key was used with other parameters, so we look for what it made. If nothing is found, the outcome stays unknown. */
const found = async (look: Promise<Answer | 'NOT_MADE'>, error: unknown): Promise<Answer> => {
  const answer = await look
  if (answer === 'NOT_MADE') throw error
  return answer
}

export const payOut = async (client: StripeClient, asked: Asked): Promise<Answer> => {
  const account = await queries.payoutAccountOf(autocommit, asked.of)
  if (!account) return { outcome: 'REFUSED', reason: notReady }
  try {
    const { id } = await client.api.transfers.create(
      {
        amount: asked.amountCents,
        currency: 'usd',
        destination: account.accountId,
        transfer_group: groupOf(asked),
        metadata: marked(client, { withdrawal: asked.subjectId, call: asked.key }),
      },
      { idempotencyKey: asked.key },
    )
    return { outcome: 'DONE', reference: id }
  } catch (error) {
    if (isKeyOfAnother(error)) return found(findTransfer(client, asked), error)
    if (isUncovered(error)) return { outcome: 'LATER', reason: notCovered }
    if (!isDefinite(error)) throw error
    if (codeOf(error) !== 'insufficient_capabilities_for_transfer')
      return { outcome: 'REFUSED', reason: 'Stripe did not accept this payout.' }
    // The tester then sees what is missing, instead of running into the same refusal again.
    await refreshAccount(client, account.accountId).catch(() => undefined)
    return { outcome: 'REFUSED', reason: notReady }
  }
}

export const isReturned = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled'

export const returnedSentence = ({ status, failure_reason: why }: Stripe.Refund): string =>
  `The refund to the payment method failed (${(why ?? status ?? 'failed').replaceAll('_', ' ')}).`

const refundAnswer = (refund: Stripe.Refund): Answer => {
  const { id, status } = refund
  if (status === 'succeeded') return { outcome: 'DONE', reference: id }
  if (isReturned(refund)) return { outcome: 'REFUSED', reason: returnedSentence(refund) }
  return { outcome: 'PENDING', reference: id }
}

/** Finds the refund, whichever attempt made it. If another attempt's refund came back, that says nothing about this one. */
const findRefund = async (client: StripeClient, asked: Asked): Promise<Answer | 'NOT_MADE'> => {
  const { key, subjectId, amountCents, earlierCents } = asked
  const payment_intent = await paidBy(asked)
  let waiting: Stripe.Refund | undefined
  let failed: Stripe.Refund | undefined
  for await (const refund of client.api.refunds.list({ payment_intent, limit: 100 })) {
    const { id, amount, metadata } = refund
    if (metadata?.['part'] !== subjectId) continue
    assertOurs(client, refund)
    if (isReturned(refund)) {
      if (metadata['call'] === key) failed = refund
      continue
    }
    if (amount !== amountCents - earlierCents) throw new Error(`refund ${id} of ${amount} is not the part ${subjectId}`)
    if (refund.status === 'succeeded') return refundAnswer(refund)
    waiting = refund
  }
  const known = waiting ?? failed
  return known ? refundAnswer(known) : 'NOT_MADE'
}

const paidBy = async ({ of }: Asked): Promise<string> => {
  const reference = await queries.paidReferenceOf(autocommit, of)
  if (reference == null) throw new Error(`nobody knows by what payment ${of} was paid`)
  return reference
}

export const refund = async (client: StripeClient, asked: Asked): Promise<Answer> => {
  const { key, subjectId, amountCents, earlierCents } = asked
  if (amountCents === earlierCents) return { outcome: 'DONE', reference: subjectId }
  // A reply replayed under a key shows the old state, so the refund would stay pending forever.
  const known = await queries.referenceOf(autocommit, key)
  if (known != null) return found(findRefund(client, asked), new Error(`refund ${known} is gone`))
  const payment_intent = await paidBy(asked)
  const earlier: Record<string, string> = earlierCents > 0 ? { earlier: String(earlierCents) } : {}
  const metadata = marked(client, { ...earlier, part: subjectId, call: key })
  try {
    const made = await client.api.refunds.create(
      { payment_intent, amount: amountCents - earlierCents, metadata },
      { idempotencyKey: key },
    )
    return refundAnswer(await client.api.refunds.retrieve(made.id))
  } catch (error) {
    if (isKeyOfAnother(error)) return found(findRefund(client, asked), error)
    if (!isDefinite(error)) throw error
    const reason = isUncovered(error) ? notCovered : 'Stripe did not accept this refund.'
    return { outcome: 'REFUSED', reason }
  }
}

export const lookUpPayout = findTransfer
export const lookUpRefund = findRefund
