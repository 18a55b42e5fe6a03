/**
 * Payment providers (product.md §4). A provider takes requests under an id of ours, acts once for each id however often
 * it is asked, and answers with money moved or a reason for a decline. Anything else it throws is a technical failure
 * that the job tries again.
 */
import { clock } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { insertSandboxMovement } from './queries.ts'

export type MoveRequest = { requestId: string; amountCents: number; counterparty: string }
export type MoveAnswer = { declined: string | null }

export type PaymentProvider = {
  name: string
  /** Known at once and without I/O: the charge is booked in the transaction of the wish. */
  judgeCharge: (request: MoveRequest) => MoveAnswer
  payOut: (request: MoveRequest) => Promise<MoveAnswer>
  refund: (request: MoveRequest) => Promise<MoveAnswer>
  /** Seconds between a wish for a payout or a refund and asking the provider. */
  delaySeconds: number
}

/** The documented test value: a payment method whose part before the @ is "decline", or begins with "decline+". */
const declines = (counterparty: string) => /^decline(\+[^@]*)?@/.test(counterparty)

const declineReason = 'The sandbox declines this payment method, as it was asked to.'

const ask = async (kind: 'PAYOUT' | 'REFUND', request: MoveRequest, declined: string | null): Promise<MoveAnswer> => ({
  declined: await insertSandboxMovement(autocommit, { ...request, kind, declined, at: clock.now() }),
})

/** The default provider: no real money. It funds at once, pays out after a short delay, and remembers what it did. */
export const sandbox: PaymentProvider = {
  name: 'sandbox',
  judgeCharge: ({ counterparty }) => ({ declined: declines(counterparty) ? declineReason : null }),
  payOut: request => ask('PAYOUT', request, declines(request.counterparty) ? declineReason : null),
  // What was charged can be given back, whatever the payment method says today.
  refund: request => ask('REFUND', request, null),
  delaySeconds: 3,
}
