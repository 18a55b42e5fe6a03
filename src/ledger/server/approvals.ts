/** Payouts above the limit in the settings: one admin releases each, and another confirms (decision 055). */
import { adminIds } from '../../accounts/server/accounts.ts'
import { auditIfAdmin } from '../../audit/server/audit.ts'
import { clock } from '../../kit/clock.ts'
import type { Page, SignedIn } from '../../kit/endpoint.ts'
import { DomainError } from '../../kit/errors.ts'
import { formatCents } from '../../kit/money.ts'
import { autocommit, type Tx } from '../../kit/server/db.ts'
import { transactOnce } from '../../kit/server/idempotency.ts'
import { enqueueMany } from '../../kit/server/jobs.ts'
import { notice, notifyMany } from '../../notifications/server/notifications.ts'
import { actionsOn, assertMayDecide, blockedSentence } from '../approvals.ts'
import type { PayoutApproval } from '../contract.ts'
import type { PayoutAction } from '../terms.ts'
import * as queries from './approvals.queries.ts'
import { failWithdrawal, payOut } from './payouts.ts'

const personOf = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' })

const shownTo = (admin: SignedIn, row: queries.ApprovalRow, admins: number): PayoutApproval => ({
  id: row.id,
  amountCents: row.amountCents,
  destination: row.destination,
  requestedAt: row.requestedAt,
  tester: { id: row.testerId, name: row.testerName },
  releasedBy: personOf(row.releasedBy, row.releaserName),
  releasedAt: row.releasedAt,
  outcome: row.outcome,
  decidedBy: personOf(row.decidedBy, row.deciderName),
  decidedAt: row.decidedAt,
  reason: row.reason,
  blocked: blockedSentence(row, { testerSuspended: row.testerSuspended, admins }),
  actions: actionsOn(row, admin.id),
})

type Query = { limit: number; cursor?: string | undefined }

export const waiting = async (admin: SignedIn, { limit, cursor }: Query): Promise<Page<PayoutApproval>> => {
  const [rows, admins] = await Promise.all([
    queries.waitingApprovals(autocommit, limit + 1, cursor),
    queries.activeAdmins(autocommit),
  ])
  return {
    items: rows.slice(0, limit).map(row => shownTo(admin, row, admins)),
    nextCursor: rows.length > limit ? String(rows[limit - 1]!.seq) : null,
  }
}

type Asked = { admin: SignedIn; id: string; action: PayoutAction; key: string | null; reason?: string }
type Write = (tx: Tx, row: queries.ApprovalRow, now: string) => Promise<unknown>

/** Locks the approval and then the admins, checks the rule, and writes. */
const decide = ({ admin, id, action, key, reason }: Asked, write: Write): Promise<PayoutApproval> =>
  transactOnce({
    userId: admin.id,
    key,
    call: `${action}-payout`,
    asked: { id, reason },
    subjectId: id,
    effect: async tx => {
      const isActive = await queries.lockApproval(tx, id, admin.id)
      const row = await queries.approvalOf(tx, id)
      if (!isActive) throw new DomainError('WRONG_STATE', 'Only an active admin can decide on payouts.')
      assertMayDecide(action, row, admin.id)
      await auditIfAdmin(tx, admin, {
        action: `payout.${action}`,
        subjectType: 'user',
        subjectId: row.testerId,
        facts: { payout: formatCents(row.amountCents), ...(reason !== undefined && { reason }) },
      })
      await write(tx, row, clock.now())
    },
    answer: async withdrawalId => {
      const [row, admins] = await Promise.all([
        queries.approvalOf(autocommit, withdrawalId),
        queries.activeAdmins(autocommit),
      ])
      return shownTo(admin, row, admins)
    },
  })

export const release = (admin: SignedIn, id: string, key: string | null): Promise<PayoutApproval> =>
  decide({ admin, id, action: 'release', key }, async (tx, { amountCents, testerName: tester }, now) => {
    await queries.setReleased(tx, id, admin.id, now)
    const { releaserName: releasedBy } = await queries.approvalOf(tx, id)
    const others = (await adminIds(tx)).filter(each => each !== admin.id)
    const facts = { withdrawalId: id, amountCents, tester, releasedBy: releasedBy ?? '' }
    await notifyMany(
      tx,
      others.map(each => notice(each, 'PAYOUT_TO_CONFIRM', facts)),
    )
  })

export const confirm = (admin: SignedIn, id: string, key: string | null): Promise<PayoutApproval> =>
  decide({ admin, id, action: 'confirm', key }, async (tx, _, now) => {
    await queries.setDecided(tx, { withdrawalId: id, outcome: 'CONFIRMED', adminId: admin.id, reason: null, now })
    await enqueueMany(tx, payOut, [{ withdrawalId: id }])
  })

/** Either admin may refuse at any time before the confirmation. */
export const refuse = (admin: SignedIn, id: string, reason: string, key: string | null): Promise<PayoutApproval> =>
  decide({ admin, id, action: 'refuse', key, reason }, async (tx, { testerId, amountCents }, now) => {
    await queries.setDecided(tx, { withdrawalId: id, outcome: 'REFUSED', adminId: admin.id, reason, now })
    await failWithdrawal(tx, { withdrawalId: id, testerId, amountCents }, `Our team refused this payout. ${reason}`)
  })
