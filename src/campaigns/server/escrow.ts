/**
 * Money that has been in escrow for too long: an admin extends it, requests a new payment, or cancels the campaign (decision
 * 060).
 */
import { audit } from '../../audit/server/audit.ts'
import { clock, daysAfter, type Instant } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import * as ledger from '../../ledger/server/ledger.ts'
import { notify } from '../../notifications/server/notifications.ts'
import { assertEscrowAction, escrowActionsOn, extensionDays, watchedUntil } from '../escrow.ts'
import type { EscrowCase } from '../escrowContract.ts'
import type { EscrowAction, EscrowDecision } from '../terms.ts'
import { cancelNow } from './cancelling.ts'
import * as queries from './escrow.queries.ts'

const shown = ({ developerId, developerName, dueAt, ...row }: queries.EscrowRow): EscrowCase => ({
  ...row,
  dueAt: dueAt ?? row.heldSince,
  developer: { id: developerId, name: developerName },
  actions: escrowActionsOn({ ...row, dueAt }, clock.now()),
})

type Query = { limit: number; cursor?: string | undefined }

export const aging = async ({ limit, cursor }: Query): Promise<Page<EscrowCase>> => {
  const [place, id] = cursor?.split('.') ?? []
  const after = place !== undefined && id !== undefined ? { place, id } : undefined
  const rows = await queries.aging(autocommit, { dueUntil: watchedUntil(clock.now()), limit: limit + 1, after })
  const last = rows[limit - 1]
  return {
    items: rows.slice(0, limit).map(shown),
    nextCursor: last && rows.length > limit ? `${last.place}.${last.id}` : null,
  }
}

type Asked = { admin: SignedIn; id: string; reason: string; key: string | null }
type Kind = { action: EscrowAction; decision: EscrowDecision }

/** Locks the campaign, applies the rule, writes, and records the decision. */
const decide = (
  { admin, id, reason, key }: Asked,
  { action, decision }: Kind,
  write: (tx: Tx, row: queries.EscrowRow, now: Instant) => Promise<unknown>,
): Promise<EscrowCase> =>
  transactOnce({
    userId: admin.id,
    key,
    call: `${action}-escrow`,
    asked: { id, reason },
    subjectId: id,
    effect: async tx => {
      const row = await queries.lockCase(tx, id)
      const now = clock.now()
      assertEscrowAction(action, row, now)
      await write(tx, row, now)
      await queries.insertDecision(tx, { campaignId: id, decision, adminId: admin.id, reason, now })
    },
    answer: async campaignId => shown(await queries.caseOf(autocommit, campaignId)),
  })

export const extend = (asked: Asked): Promise<EscrowCase> =>
  decide(asked, { action: 'extend', decision: 'EXTENDED' }, async (tx, { id, title, developerId }, now) => {
    const { admin, reason } = asked
    const until = daysAfter(now, extensionDays)
    await queries.setDue(tx, id, until)
    await ledger.endCharges(tx, id)
    await audit(tx, admin, {
      action: 'escrow.extend',
      subjectType: 'campaign',
      subjectId: id,
      facts: { reason, until },
    })
    await notify(tx, developerId, 'ESCROW_EXTENDED', { campaignId: id, title, until, reason })
  })

/** No money moves until the developer has paid again: testers inside stay covered, and without a payment the case stays open. */
export const askRenewal = (asked: Asked): Promise<EscrowCase> =>
  decide(asked, { action: 'renew', decision: 'RENEWAL_ASKED' }, async (tx, row, now) => {
    const { admin, reason } = asked
    const { id, title, developerId, heldCents: amountCents } = row
    await queries.askRenewal(tx, id, now)
    await audit(tx, admin, {
      action: 'escrow.renew',
      subjectType: 'campaign',
      subjectId: id,
      facts: { reason, amountCents },
    })
    await notify(tx, developerId, 'RENEWAL_ASKED', { campaignId: id, title, amountCents, reason })
  })

export const cancelAging = (asked: Asked): Promise<EscrowCase> =>
  decide(asked, { action: 'cancel', decision: 'CANCELLED' }, (tx, { id }) =>
    cancelNow(tx, asked.admin, id, asked.reason),
  )

/**
 * How many campaigns have money that is watched, how many need an admin's decision now, and since when the oldest money is held.
 */
export const agingNow = (tx: Tx): Promise<queries.Aging> =>
  queries.countAging(tx, clock.now(), watchedUntil(clock.now()))
