/** Disputes about payments, for admins: the queue, a case with the evidence that the product holds, and its outcome. */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Cents, filter, Id, Instant, SequenceQuery, text } from '../kit/schemas.ts'
import { NamedCampaign, NamedPerson } from './entities.ts'
import { disputeOutcomes, disputeStatuses } from './terms.ts'

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

export const disputesApi = endpoints({
  disputes: {
    method: 'GET',
    path: '/admin/disputes',
    access: 'ADMIN',
    revalidated: true,
    summary: 'Payment disputes, oldest first; `status=OPEN` lists only the open ones.',
    query: SequenceQuery.extend({ status: filter(['OPEN'], 'Status must be OPEN, or left out') }),
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
})
