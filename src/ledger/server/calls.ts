/**
 * Calls to payment providers. Each call is recorded under its own key before it is made, and settled once, together with its money,
 * in one transaction. If an answer is lost, we ask again under the same key, and release nothing meanwhile.
 */
import { randomUUIDv7 } from 'node:crypto'
import { clock, hoursBetween } from '../../kit/clock.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { enqueue, enqueueMany, type Job } from '../../kit/server/jobs.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { declinedSentence, notCoveredSentence, refusalsUntilStuck } from '../rules.ts'
import * as queries from './calls.queries.ts'
import { owedBy } from './queries.ts'
import {
  beginRefunds,
  coverRefundPart,
  pendingRefundPartIds,
  refundPartById,
  settleRefundPart,
  settleWithdrawal,
  takeBackClaim,
} from './payouts.queries.ts'
import type { Answer, CallKind, Paid } from './provider.ts'
import { providerOf } from './providers.ts'
import type { Outcome } from './queries.ts'

/** Providers remember a key for 24 hours by their own clock, so we stop relying on it an hour earlier. */
const keyLivesHours = 23

const keyLives = ({ sentAt }: queries.Call): boolean => hoursBetween(sentAt, clock.now()) < keyLivesHours

/**
 * Returns the provider's answer; undefined when nothing is open. Carrying out the same call twice at once is harmless. `look`: the
 * number of the follow-up look, if a job makes one. `watched`: whether somebody still waits for the answer.
 */
export const carryOut = async (subjectId: string, look = 0, watched = nobody): Promise<Answer | undefined> => {
  const call = await queries.sendCall(autocommit, subjectId, clock.now())
  if (!call) return undefined
  const answer = await answerOf(call)
  await settle(call, answer, { look, watched })
  return answer
}

const nobody = () => false
type Circumstances = { look: number; watched: () => boolean }

const ask = { CHARGE: 'charge', PAYOUT: 'payOut', REFUND: 'refund' } as const satisfies Record<CallKind, string>

const answerOf = async (call: queries.Call): Promise<Answer> => {
  const provider = providerOf(call.provider)
  const send = () => provider[ask[call.kind]](call)
  const looksFirst = provider.forgetsKeys === true && call.mayBeMade
  if (keyLives(call) && !looksFirst) return send()
  const found = await provider.lookUp(call.kind, call)
  if (found !== 'NOT_MADE') return found
  if (call.isLost) throw new Error(`the provider has made ${call.subjectId}, and does not find it`)
  if (keyLives(call)) return send()
  if (call.kind === 'CHARGE') return { outcome: 'EXPIRED' }
  return { outcome: 'REFUSED', reason: 'The payment provider could not be reached.' }
}

/** Somebody else has booked the answer, so this transaction is rolled back. */
class SettledMeanwhile extends Error {}

/** Books an answer, whether a job, a request or an event of the provider brought it. */
const settle = async (call: queries.Call, answer: Answer, how: Circumstances): Promise<void> => {
  try {
    await transact(async tx => {
      const [isOpen] = await Promise.all([queries.holdCall(tx, call), book(tx, call, answer, how)])
      if (!isOpen) throw new SettledMeanwhile()
    })
  } catch (error) {
    if (!(error instanceof SettledMeanwhile)) throw error
  }
}

/**
 * Sent right behind the lock of the call, in the same round trip. The lock keeps the answer of an earlier attempt from settling a
 * later one.
 */
const book = async (tx: Tx, call: queries.Call, answer: Answer, { look, watched }: Circumstances): Promise<void> => {
  if (answer.outcome === 'PENDING') return keepWaiting(tx, call, answer, look)
  if (answer.outcome === 'LATER') return tryLater(tx, call, answer.reason)
  await Promise.all([
    answer.outcome === 'DONE' && queries.noteReference(tx, call.subjectId, answer.reference),
    settling[call.kind](tx, call, answer, watched),
  ])
}

const assertSettled = (outcome: Outcome) => {
  if (outcome !== 'OK') throw new SettledMeanwhile()
}

type Final = Exclude<Answer, { outcome: 'PENDING' | 'LATER' }>
type Pending = Extract<Answer, { outcome: 'PENDING' }>

const keepWaiting = async (
  tx: Tx,
  { subjectId, provider }: queries.Call,
  answer: Pending,
  look: number,
): Promise<void> => {
  if (answer.reference !== undefined) await queries.noteReference(tx, subjectId, answer.reference)
  if (answer.checkoutUrl !== undefined) await queries.noteCheckout(tx, subjectId, answer.checkoutUrl)
  if (answer.isCollecting) await queries.noteCollecting(tx, subjectId, clock.now())
  const next = await queries.noteNextLook(tx, subjectId, look)
  if (next !== undefined)
    await enqueue(tx, askAgain, { subjectId, look: next }, { afterSeconds: providerOf(provider).pollSeconds })
}

/** How long a payout waits that the provider cannot make right now. */
const laterSeconds = 3600

/** Named here rather than imported, because the job's file imports this one. */
const payOutJob = { name: 'ledger.pay-out' }

/** The next attempt gets a new key, since under the old one the provider would only repeat its refusal. */
const tryLater = async (tx: Tx, { subjectId }: queries.Call, reason: string): Promise<void> => {
  if ((await queries.refuseCall(tx, subjectId, reason, clock.now())) === 0) throw new SettledMeanwhile()
  await takeBackClaim(tx, subjectId)
  const after = await queries.attemptsOf(tx, subjectId)
  await enqueue(tx, payOutJob, { withdrawalId: subjectId, after }, { afterSeconds: laterSeconds })
}

const reasonOf = (answer: Final) => (answer.outcome === 'REFUSED' ? answer.reason : null)

type Settled = Pick<queries.Call, 'subjectId' | 'begunAt'>

const settleCharge = async (tx: Tx, call: Settled, answer: Final, watched = nobody): Promise<void> => {
  const { subjectId } = call
  const refundId = randomUUIDv7()
  const answered = {
    answer: answer.outcome === 'DONE' ? 'PAID' : answer.outcome,
    failure: answer.outcome === 'REFUSED' ? declinedSentence(answer.reason) : null,
    feeCents: (answer.outcome === 'DONE' && answer.feeCents) || 0,
    refundId,
  } as const
  const outcome = await queries.settleCharge(tx, subjectId, answered, clock.now())
  // Paid after the campaign had ended the charge.
  if (outcome === 'RETURNED') await enqueue(tx, payRefund, { refundId })
  else assertSettled(outcome)
  if (!watched()) await tellOfCharge(tx, call)
}

/** After this time nobody is still watching the page that shows the payment on its way. */
const lookedAtHours = 1

/** The developer was told that they need not wait. */
const tellOfCharge = async (tx: Tx, { subjectId, begunAt }: Settled): Promise<void> => {
  const charge = await queries.settledCharge(tx, subjectId)
  if (!charge) return
  const { status, developerId, reason, isDraft, renews, ...of } = charge
  if (status === 'FAILED') await notify(tx, developerId, 'PAYMENT_FAILED', { ...of, reason })
  if (status === 'RETURNED') {
    const owedCents = await owedBy(tx, developerId)
    await notify(tx, developerId, 'PAYMENT_RETURNED', { ...of, isDraft, owedCents })
  }
  if (status === 'COMPLETED' && hoursBetween(begunAt, clock.now()) >= lookedAtHours)
    await notify(tx, developerId, 'PAYMENT_ARRIVED', { ...of, renews })
}

/** A charge that was given up has been paid after all: the whole amount goes back, whatever has become of the campaign. */
export const returnLateCharge = async (tx: Tx, call: queries.GivenUp, paid: Paid): Promise<void> => {
  await queries.noteLateReference(tx, call.key, paid.reference)
  await settleCharge(tx, call, paid)
}

const settlePayout = async (tx: Tx, call: queries.Call, answer: Final): Promise<void> => {
  const { subjectId: withdrawalId, of: testerId, amountCents, counterparty: destination } = call
  const reason = answer.outcome === 'DONE' ? null : (reasonOf(answer) ?? 'It was not paid out in time.')
  if (reason === null) await notify(tx, testerId, 'WITHDRAWAL_COMPLETED', { withdrawalId, amountCents, destination })
  else await notify(tx, testerId, 'WITHDRAWAL_FAILED', { withdrawalId, amountCents, reason })
  assertSettled(await settleWithdrawal(tx, withdrawalId, reason, clock.now()))
}

/** How long a part of a refund waits for its next attempt after it was refused or came back. */
export const refusedHours = 6

const settleRefund = async (tx: Tx, { subjectId }: queries.Call, answer: Final): Promise<void> => {
  if (answer.outcome === 'DONE') {
    assertSettled(await settleRefundPart(tx, subjectId, clock.now()))
    return
  }
  const reason = reasonOf(answer) ?? 'It was not paid in time.'
  assertSettled(await queries.refuseRefundPart(tx, subjectId, reason, clock.now()))
  await retryRefund(tx, subjectId)
}

/** A closed card refuses every attempt, so after some refusals an admin has to take over. */
const retryRefund = async (tx: Tx, partId: string): Promise<void> => {
  const stuck = { after: refusalsUntilStuck, notCounting: notCoveredSentence, now: clock.now() }
  if ((await queries.noteStuck(tx, partId, stuck)) > 0) return
  const after = await queries.attemptsOf(tx, partId)
  await enqueue(tx, payRefundPart, { partId, after }, { afterSeconds: refusedHours * 3600 })
}

/** Handles a provider's event that a paid refund came back. Repeating it changes nothing. */
export const refundReturned = async (tx: Tx, partId: string, reference: string, reason: string): Promise<void> => {
  const outcome = await queries.returnRefundPart(tx, partId, reference, reason, clock.now())
  if (outcome !== 'OK') return
  await retryRefund(tx, partId)
  await askForUntried(tx, partId)
}

/** If only some of a part was paid, the rest was split off without a job of its own, so this enqueues one. */
export const askForUntried = async (tx: Tx, partId: string): Promise<void> => {
  const untried = await queries.untriedParts(tx, partId)
  const jobs = untried.map(id => ({ partId: id, after: 0 }))
  await enqueueMany(tx, payRefundPart, jobs, { afterSeconds: refusedHours * 3600 })
}

type Settle = (tx: Tx, call: queries.Call, answer: Final, watched: () => boolean) => Promise<void>

const settling: Record<CallKind, Settle> = { CHARGE: settleCharge, PAYOUT: settlePayout, REFUND: settleRefund }

/** Asks again about a call that is pending at the provider, or about a charge whose request died. */
export const askAgain: Job<{ subjectId: string; look?: number }> = {
  name: 'ledger.ask-again',
  expireMinutes: 5,
  atOnce: 10,
  run: async ({ subjectId, look }) => {
    await carryOut(subjectId, look)
  },
}

/** Enqueues a job for each part of a refund. */
export const payRefund: Job<{ refundId: string }> = {
  name: 'ledger.pay-refund',
  expireMinutes: 5,
  atOnce: 20,
  run: ({ refundId }) =>
    transact(async tx => {
      const parts = await pendingRefundPartIds(tx, refundId)
      const jobs = parts.map(partId => ({ partId }))
      await enqueueMany(tx, payRefundPart, jobs)
    }),
}

/** Gives one payment's share of a refund back to the payment method that was charged. `after`: see `attemptsOf`. */
export const payRefundPart: Job<{ partId: string; after?: number }> = {
  name: 'ledger.pay-refund-part',
  expireMinutes: 5,
  atOnce: 10,
  run: async ({ partId, after }) => {
    const due = await refundPartById(autocommit, partId)
    if (due?.status !== 'PENDING' || due.isStuck) return
    await transact(async tx => {
      await coverRefundPart(tx, partId, due.paymentId)
      // Counted behind the lock that every attempt takes.
      if (after === undefined || (await queries.attemptsOf(tx, partId)) === after)
        await beginRefunds(tx, [due.refundId], clock.now())
    })
    await carryOut(partId)
  },
}

/** Closes the provider's page of a charge that is no longer wanted, and books anything paid on it until then. */
export const endCharge: Job<{ subjectId: string }> = {
  name: 'ledger.end-charge',
  expireMinutes: 5,
  atOnce: 10,
  run: async ({ subjectId }) => {
    const call = await queries.sendCall(autocommit, subjectId, clock.now())
    if (!call) return
    await providerOf(call.provider).endCharge?.(call, { maySend: keyLives(call) })
    await carryOut(subjectId)
  },
}
