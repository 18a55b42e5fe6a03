/** Disputes about payments, for admins: the queue, a case with the evidence that the product holds, its outcome, and the debt. */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Cents, filter, Id, Instant, SequenceQuery, text } from '../kit/schemas.ts'
import { NamedCampaign, NamedPerson, TypedCents } from './entities.ts'
import { disputeOutcomes, disputeStatuses, settlementKinds } from './terms.ts'

export const Dispute = z.object({
  id: Id,
  campaign: NamedCampaign,
  developer: NamedPerson,
  amountCents: Cents,
  /** In the bank's words. */
  reason: z.string(),
  status: z.enum(disputeStatuses),
  openedAt: Instant,
  /** The provider's deadline for evidence; null if it names none. */
  evidenceDueAt: Instant.nullable(),
  closedAt: Instant.nullable(),
  /** If it was lost: what the developer still owes for it. */
  owedCents: Cents,
  /** What the developer had paid by other means and no longer owes, until it is given back. */
  giveBackCents: Cents,
})
export type Dispute = z.output<typeof Dispute>

export const DisputeCase = Dispute.extend({
  paymentId: Id,
  paidAt: Instant,
  paymentCents: Cents,
  paymentMethod: z.string(),
  /** If it was lost: the part that the campaign's unused money covers. */
  coveredCents: Cents,
  /** If it was lost: refunds of the payment that we still owed, and that the bank has given back instead. */
  setOffCents: Cents,
  /** If it was lost: what was settled outside of the product, because the developer paid it by other means or it was waived. */
  settledCents: Cents,
  /** The part of it that was waived. */
  waivedCents: Cents,
  /** Whether what is owed can be settled now. Not until the campaign's unused money covers what it can. */
  settleable: z.boolean(),
  /** Pay and fee that the campaign still holds. What it does not need covers the debt first. */
  heldCents: Cents,
  /** What admins have recorded about the debt, oldest first. */
  settlements: z.array(
    z.object({
      id: Id,
      kind: z.enum(settlementKinds),
      amountCents: Cents,
      /** How it was paid, or why it was waived. Null once the developer's account is deleted. */
      note: z.string().nullable(),
      recordedBy: NamedPerson,
      recordedAt: Instant,
    }),
  ),
  /** Notes that admins keep about the case. */
  note: z.string().nullable(),
  /** True if an admin records the outcome; otherwise the payment provider reports it. */
  decidable: z.boolean(),
  /** The campaign is completed or cancelled. */
  ended: z.boolean(),
  /** How many testers are still testing, or waiting for a review. */
  inside: z.int(),
  /** What shows that the payment was intended, and used. */
  evidence: z.object({
    testers: z.int(),
    checkIns: z.int(),
    proofs: z.int(),
    verified: z.int(),
    /** Paid to testers of the campaign. */
    paidOutCents: Cents,
  }),
})
export type DisputeCase = z.output<typeof DisputeCase>

const note = text('The note', 2000)

const disputeLists = ['OPEN', 'OWED'] as const
export type DisputeList = (typeof disputeLists)[number]

const onDebt = {
  method: 'POST',
  access: 'ADMIN',
  params: ById,
  body: z.object({ amountCents: TypedCents, note }),
  reply: DisputeCase,
  stepUp: true,
  idempotent: true,
  errors: ['WRONG_STATE', 'WRONG_AMOUNT'],
} as const

export const disputesApi = endpoints({
  disputes: {
    method: 'GET',
    path: '/admin/disputes',
    access: 'ADMIN',
    revalidated: true,
    summary:
      'Payment disputes, oldest first; `status=OPEN` lists only the open ones, `status=OWED` those for which the developer owes something, or has to get something back.',
    query: SequenceQuery.extend({ status: filter(disputeLists, 'Status must be OPEN or OWED, or left out') }),
    pageOf: Dispute,
  },
  dispute: {
    method: 'GET',
    path: '/admin/disputes/:id',
    access: 'ADMIN',
    summary: 'One dispute, with the payment and our evidence.',
    params: ById,
    reply: DisputeCase,
  },
  noteDispute: {
    method: 'PUT',
    path: '/admin/disputes/:id/note',
    access: 'ADMIN',
    summary: 'Set the note on a dispute, for other admins. It replaces the previous one.',
    params: ById,
    body: z.object({ note }),
    reply: DisputeCase,
  },
  decideDispute: {
    method: 'POST',
    path: '/admin/disputes/:id/decide',
    access: 'ADMIN',
    summary:
      'Record the outcome of a sandbox dispute. 409 with a real provider, which decides itself, and once the dispute is closed.',
    params: ById,
    body: z.object({ outcome: z.enum(disputeOutcomes, { error: 'Outcome must be WON or LOST' }), note }),
    reply: DisputeCase,
    stepUp: true,
    idempotent: true,
    errors: ['WRONG_STATE'],
  },
  settleDispute: {
    ...onDebt,
    path: '/admin/disputes/:id/settle',
    summary:
      'Record that a developer has paid what they owe for a lost dispute by other means, such as a bank transfer. The amount must be all that is owed.',
  },
  waiveDebt: {
    ...onDebt,
    path: '/admin/disputes/:id/waive',
    summary: 'Waive what a developer owes for a lost dispute. The amount must be all that is owed.',
  },
  giveBackSettlement: {
    ...onDebt,
    path: '/admin/disputes/:id/give-back',
    summary:
      'Record that what a developer had paid by other means and no longer owes was given back. The amount must be all of it.',
  },
})
