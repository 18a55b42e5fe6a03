/** Refunds that the payment provider permanently refuses, for admins: retried, or paid by other means (decision 061). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Cents, Id, Instant, KeysetQuery, line, optionalText, text } from '../kit/schemas.ts'
import { NamedCampaign, NamedPerson, TypedCents } from './entities.ts'
import { stuckActions, stuckStates } from './stuckRefunds.ts'

/** The part of a refund that goes back to one payment. */
export const StuckRefund = z.object({
  id: Id,
  campaign: NamedCampaign,
  developer: NamedPerson,
  /** The payment method that was charged, and refuses the money. */
  paymentMethod: z.string(),
  /** What remains to be paid, or was paid twice. */
  amountCents: Cents,
  owedSince: Instant,
  /** Null for a refund that was never stuck but was paid twice. */
  stuckSince: Instant.nullable(),
  state: z.enum(stuckStates),
  /** How often the payment provider was asked. */
  attempts: z.int(),
  lastTriedAt: Instant.nullable(),
  /** The payment provider's last reason for refusing it. */
  reason: z.string().nullable(),
  /** What happens next. */
  next: z.string(),
  /** It is above the limit from which payouts need two admins, so paying it by other means needs them too. */
  needsTwo: z.boolean(),
  /** How it was paid by other means, as recorded; also as booked, if it was paid twice. */
  outside: z
    .object({ reference: z.string(), note: z.string().nullable(), recordedBy: NamedPerson, recordedAt: Instant })
    .nullable(),
  /** What the caller can do with it now. */
  actions: z.array(z.enum(stuckActions)),
})
export type StuckRefund = z.output<typeof StuckRefund>

/** Long enough to find the payment in the account that paid. */
const minReference = 5
const maxReference = 200

const onRefund = {
  method: 'POST',
  access: 'ADMIN',
  params: ById,
  reply: StuckRefund,
  stepUp: true,
  idempotent: true,
} as const

export const stuckRefundsApi = endpoints({
  stuckRefunds: {
    method: 'GET',
    path: '/admin/stuck-refunds',
    access: 'ADMIN',
    summary: 'Refunds that the payment provider refuses for good, or that were paid twice, oldest first.',
    query: KeysetQuery,
    pageOf: StuckRefund,
  },
  retryRefund: {
    ...onRefund,
    path: '/admin/stuck-refunds/:id/retry',
    summary: 'Retry a stuck refund at the payment provider, under a new key.',
    errors: ['WRONG_STATE'],
  },
  payRefund: {
    ...onRefund,
    path: '/admin/stuck-refunds/:id/pay',
    summary:
      'Record that a stuck refund was paid by other means, such as a bank transfer. Above the payout limit another admin has to confirm it. 409 while the payment provider may still pay it.',
    body: z.object({
      /** What was paid, which has to be everything that remains. */
      amountCents: TypedCents,
      reference: line('The reference', maxReference).min(minReference, {
        error: `The reference must have at least ${minReference} characters`,
      }),
      note: optionalText('The note', 2000).optional(),
    }),
    errors: ['WRONG_STATE', 'WRONG_AMOUNT'],
  },
  confirmRefund: {
    ...onRefund,
    path: '/admin/stuck-refunds/:id/confirm',
    summary:
      'Confirm that a refund was paid by other means, as another admin recorded. 409 for the admin who recorded it.',
    errors: ['WRONG_STATE'],
  },
  refuseRefund: {
    ...onRefund,
    path: '/admin/stuck-refunds/:id/refuse',
    summary: 'Discard an unconfirmed record that a refund was paid by other means. The refund is stuck as before.',
    body: z.object({ reason: text('The reason', 2000) }),
    errors: ['WRONG_STATE'],
  },
  settleRefund: {
    ...onRefund,
    path: '/admin/stuck-refunds/:id/settle',
    summary: 'Settle a refund that was paid twice: the developer returned the money by other means, or keeps it.',
    body: z.object({ note: text('The note', 2000) }),
    errors: ['WRONG_STATE'],
  },
})
