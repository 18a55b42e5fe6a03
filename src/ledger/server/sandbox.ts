/**
 * The default provider, which moves no real money. It does what it is asked at once, and records it in a file of its own. It behaves
 * like real life for payment methods with a test value before the @ (docs/money.md):
 *
 * `decline` refuses at once · `slow` answers after ten seconds · `lost` does it, but its first answer is lost · `later` refuses
 * after ten seconds · `returned` pays out, and the payout comes back after two days · `dispute`, `disputewon` and `disputelost`
 * charge, and the charge is disputed after a day; the latter two end seven days later, the first when an admin decides it.
 */
import { clock, daysAfter, type Instant, secondsBetween } from '../../kit/clock.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import type { DisputeOutcome } from '../terms.ts'
import type { Movement, Movements } from './movements.ts'
import { insertEvent } from './providerEvents.queries.ts'
import type { Answer, Asked, CallKind, PaymentProvider } from './provider.ts'
import { chargesAmong, insertSandboxMovement } from './sandbox.queries.ts'
import { sandboxMovements } from './sandboxFile.ts'

const values = ['decline', 'slow', 'lost', 'later', 'returned', 'dispute', 'disputewon', 'disputelost'] as const
type TestValue = (typeof values)[number]

/** The documented test value, if the part before the @ is one, or begins with one and a plus. */
const testValueOf = (counterparty: string): TestValue | undefined =>
  values.find(value => new RegExp(`^${value}(\\+[^@]*)?@`).test(counterparty))

const declineReason = 'The sandbox declines this payment method, as it was asked to.'

const slowSeconds = 10
const returnedAfterDays = 2
const disputedAfterDays = 1
const decidedAfterDays = 8

type Decision = { declined: string | null } | 'WAIT'

const decisionOn = ({ counterparty, sentAt }: Asked): Decision => {
  const value = testValueOf(counterparty)
  if (value === 'decline') return { declined: declineReason }
  if (value !== 'slow' && value !== 'later') return { declined: null }
  if (secondsBetween(sentAt, clock.now()) < slowSeconds) return 'WAIT'
  return { declined: value === 'later' ? declineReason : null }
}

const answerOf = ({ id, declined }: Movement): Answer =>
  declined === null ? { outcome: 'DONE', reference: id } : { outcome: 'REFUSED', reason: declined }

/** Writes to the file first. If the database write fails, the next try or a restore finds the movement in the file. */
const move = async (kind: CallKind, asked: Asked, decision: Decision): Promise<Answer> => {
  const { key, subjectId: id, of, amountCents, counterparty, earlierCents } = asked
  const movements = await sandboxMovements()
  const made = await movements.find(key)
  if (!made && decision === 'WAIT') return { outcome: 'PENDING' }
  const declined = decision === 'WAIT' ? null : decision.declined
  const more = { declined, at: clock.now(), ...(earlierCents > 0 && { earlierCents }) }
  const recorded = made ?? (await movements.record({ key, id, kind, amountCents, of, ...more }))
  await insertSandboxMovement(autocommit, { ...recorded, requestId: id, kind, counterparty })
  if (!made && testValueOf(counterparty) === 'lost')
    throw new Error('The sandbox’s answer was lost, as it was asked to.')
  return answerOf(recorded)
}

/** Gives back a charge from before a restore that nobody here knows of, because the same charge is made again now. */
const giveLostBack = async (movements: Movements, { subjectId, of, amountCents }: Asked): Promise<void> => {
  const alike = (await movements.chargesOf(of)).filter(
    charge => charge.id !== subjectId && charge.amountCents === amountCents && charge.declined === null,
  )
  if (alike.length === 0) return
  const known = await chargesAmong(
    autocommit,
    alike.map(({ id }) => id),
  )
  for (const { id } of alike) if (!known.has(id)) await giveBack(movements, { id, of, amountCents })
}

/** Gives back what remains of a charge. */
export const giveBack = async (
  movements: Movements,
  { id, amountCents }: Pick<Movement, 'id' | 'of' | 'amountCents'>,
): Promise<void> => {
  const left = amountCents - (await movements.givenBack(id))
  if (left <= 0) return
  await movements.record({
    key: `void:${id}`,
    id,
    kind: 'VOID',
    of: id,
    amountCents: left,
    declined: null,
    at: clock.now(),
  })
}

const charge = async (asked: Asked): Promise<Answer> => {
  await giveLostBack(await sandboxMovements(), asked)
  return chargeOnce(asked)
}

const chargeOnce = async (asked: Asked): Promise<Answer> => {
  const answer = await move('CHARGE', asked, decisionOn(asked))
  if (answer.outcome === 'DONE') await dispute(asked)
  return answer
}

/** The content of a sandbox event about a disputed charge. */
export type SandboxDispute = { chargeId: string; amountCents: number; status: 'OPEN' | DisputeOutcome; at: Instant }

const dispute = async ({ subjectId: chargeId, amountCents, counterparty }: Asked): Promise<void> => {
  const value = testValueOf(counterparty)
  if (value === undefined || !value.startsWith('dispute')) return
  const now = clock.now()
  const tellIn = (tx: Tx, days: number, status: SandboxDispute['status'], eventId: string) => {
    const at = daysAfter(now, days)
    const payload: SandboxDispute = { chargeId, amountCents, status, at }
    return insertEvent(tx, {
      provider: 'sandbox',
      eventId,
      type: 'sandbox.dispute',
      payload,
      receivedAt: now,
      dueAt: at,
    })
  }
  await transact(async tx => {
    await tellIn(tx, disputedAfterDays, 'OPEN', `dispute-opened:${chargeId}`)
    if (value === 'dispute') return
    await tellIn(tx, decidedAfterDays, value === 'disputewon' ? 'WON' : 'LOST', `dispute-closed:${chargeId}`)
  })
}

/** Whether the sandbox has taken out the money of a lost dispute. */
export const isDisputeLost = async (chargeId: string): Promise<boolean> =>
  (await (await sandboxMovements()).find(`dispute:${chargeId}`)) !== undefined

export const recordDisputeLost = async (chargeId: string, amountCents: number): Promise<void> => {
  const [key, id] = [`dispute:${chargeId}`, chargeId]
  const movements = await sandboxMovements()
  await movements.record({ key, id, kind: 'DISPUTE', of: id, amountCents, declined: null, at: clock.now() })
}

const payOut = async (asked: Asked): Promise<Answer> => {
  const answer = await move('PAYOUT', asked, decisionOn(asked))
  if (answer.outcome === 'DONE' && testValueOf(asked.counterparty) === 'returned') {
    const [now, withdrawalId] = [clock.now(), asked.subjectId]
    const event = { provider: sandbox.name, eventId: `returned:${withdrawalId}`, type: 'sandbox.payout_returned' }
    const due = { payload: { withdrawalId }, receivedAt: now, dueAt: daysAfter(now, returnedAfterDays) }
    await transact(tx => insertEvent(tx, { ...event, ...due }))
  }
  return answer
}

/** Completes a payout with the test value `returned`: the money comes back. */
export const recordReturn = async (withdrawalId: string): Promise<void> => {
  const movements = await sandboxMovements()
  const payout = await movements.find(withdrawalId)
  if (!payout) throw new Error(`the sandbox knows no payout ${withdrawalId}`)
  const { id, amountCents } = payout
  const key = `return:${id}`
  await movements.record({ key, id, kind: 'RETURN', of: id, amountCents, declined: null, at: clock.now() })
}

const askedAtOnce = 1_000

/** What remains of charges that the database does not know, until they are given back. */
export const unclaimedIn = async (movements: Movements): Promise<number> => {
  const charges = [...(await movements.all()).values()].filter(
    ({ kind, declined }) => kind === 'CHARGE' && declined === null,
  )
  let cents = 0
  for (let first = 0; first < charges.length; first += askedAtOnce) {
    const some = charges.slice(first, first + askedAtOnce)
    const known = await chargesAmong(
      autocommit,
      some.map(({ id }) => id),
    )
    for (const { id, amountCents } of some)
      if (!known.has(id)) cents += Math.max(0, amountCents - (await movements.givenBack(id)))
  }
  return cents
}

// A charge can be refunded, whatever the payment method is now.
const refund = (asked: Asked): Promise<Answer> => move('REFUND', asked, { declined: null })

/** Each does what it has not done yet, and records what the database does not know. */
const moves: Record<CallKind, (asked: Asked) => Promise<Answer>> = {
  CHARGE: chargeOnce,
  PAYOUT: payOut,
  REFUND: refund,
}

export const sandbox: PaymentProvider = {
  name: 'sandbox',
  assertReady: async () => {
    await sandboxMovements()
  },
  charge,
  payOut,
  refund,
  lookUp: async (kind, asked) => {
    const made = await (await sandboxMovements()).find(asked.key)
    return made ? moves[kind](asked) : 'NOT_MADE'
  },
  unclaimedCents: async () => unclaimedIn(await sandboxMovements()),
  balanceCents: async () => (await sandboxMovements()).balanceCents(),
  delaySeconds: 3,
  pollSeconds: 5,
}
