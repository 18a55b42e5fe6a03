/** Money that has been in escrow for too long, for admins: the queue, and what they decide (decision 060). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { ById, Cents, cursorLike, Id, Instant, KeysetQuery, longText } from '../kit/schemas.ts'
import { CampaignStatus } from './entities.ts'
import { escrowActions, escrowDecisions } from './terms.ts'

export const EscrowCase = z.object({
  /** The campaign's. */
  id: Id,
  title: z.string(),
  status: CampaignStatus,
  developer: z.object({ id: Id, name: z.string() }),
  /** Testers' pay and the held fee. */
  heldCents: Cents,
  /** The part that stays for testers inside whatever is decided, because their tests are open. */
  testersInside: z.int(),
  /** When its oldest payment was made. */
  heldSince: Instant,
  /** The latest time for an admin to decide. */
  dueAt: Instant,
  /** Since when the developer has been asked for a new payment that is not made yet; null unless asked. */
  renewalAskedAt: Instant.nullable(),
  /** Earlier decisions, newest first; ten at most. */
  decisions: z.array(
    z.object({
      decision: z.enum(escrowDecisions),
      by: z.string(),
      reason: z.string(),
      at: Instant,
    }),
  ),
  /** What the caller can decide now. */
  actions: z.array(z.enum(escrowActions)),
})
export type EscrowCase = z.output<typeof EscrowCase>

/** A position in the queue: when the case is due, in microseconds, and its campaign. */
const EscrowCursor = cursorLike(
  /^\d{1,17}\.[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  '1794787200000000.019e8a00-0000-7000-8000-000000000000',
)

const why = z.object({
  reason: longText('Reason', { min: 10, max: 500, error: 'Reason must have at least 10 characters' }),
})

const onEscrow = {
  method: 'POST',
  access: 'ADMIN',
  params: ById,
  body: why,
  reply: EscrowCase,
  stepUp: true,
  idempotent: true,
  errors: ['WRONG_STATE'],
} as const

export const escrowApi = endpoints({
  agingEscrow: {
    method: 'GET',
    path: '/admin/escrow',
    access: 'ADMIN',
    revalidated: true,
    summary:
      'Campaigns whose money has been in escrow for 60 days or more, or whose extension ends within 20 days, earliest due date first.',
    query: KeysetQuery.extend({ cursor: EscrowCursor }),
    pageOf: EscrowCase,
  },
  extendEscrow: {
    ...onEscrow,
    path: '/admin/escrow/:id/extend',
    summary: 'Leave a campaign’s money in escrow for 30 more days, with a reason that the developer sees.',
  },
  renewEscrow: {
    ...onEscrow,
    path: '/admin/escrow/:id/renew',
    summary:
      'Ask the developer for a new payment of the amount in escrow, with a reason that they see. Once they have paid, the same amount of the older payments is refunded; until then, nothing changes.',
  },
  cancelEscrow: {
    ...onEscrow,
    path: '/admin/escrow/:id/cancel',
    summary:
      'Cancel a campaign because its money has been in escrow for too long, with a reason that the developer sees.',
  },
})
