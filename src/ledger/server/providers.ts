/**
 * Payment providers (product.md §4). A provider executes each request once per id, however often it is sent, and resolves
 * with success or the reason for a decline. An exception is a technical failure, and the job retries.
 */
import { clock } from '../../kit/clock.ts'
import { autocommit } from '../../kit/server/db.ts'
import { insertSandboxMovement } from './payouts.queries.ts'

type MoveRequest = { requestId: string; amountCents: number; counterparty: string }
type MoveAnswer = { declined: string | null }

export type PaymentProvider = {
  name: string
  /** Decided immediately and without I/O, in the transaction of the request. */
  judgeCharge: (request: MoveRequest) => MoveAnswer
  payOut: (request: MoveRequest) => Promise<MoveAnswer>
  refund: (request: MoveRequest) => Promise<MoveAnswer>
  /** Seconds between the request of a payout or refund and its execution. */
  delaySeconds: number
}

/** The documented test value: a payment method whose part before the @ is "decline", or begins with "decline+". */
const declines = (counterparty: string) => /^decline(\+[^@]*)?@/.test(counterparty)

const declineReason = 'The sandbox declines this payment method, as it was asked to.'

const ask = async (kind: 'PAYOUT' | 'REFUND', request: MoveRequest, declined: string | null): Promise<MoveAnswer> => ({
  declined: await insertSandboxMovement(autocommit, { ...request, kind, declined, at: clock.now() }),
})

/** The default provider: no real money. It funds immediately, pays out after a short delay, and records what it did. */
export const sandbox: PaymentProvider = {
  name: 'sandbox',
  judgeCharge: ({ counterparty }) => ({ declined: declines(counterparty) ? declineReason : null }),
  payOut: request => ask('PAYOUT', request, declines(request.counterparty) ? declineReason : null),
  // A charge can be refunded, whatever the payment method is now.
  refund: request => ask('REFUND', request, null),
  delaySeconds: 3,
}
