/** SQL for what holds up a tester's money. */
import type { PausedSince } from '../../accounts/rules.ts'
import { sql, type Tx } from '../../kit/server/db.ts'
import type { WaitingApproval } from '../holds.ts'

export type HoldRow = PausedSince & {
  isConfirmed: boolean
  suspendedAt: string | null
  suspensionReason: string | null
  lostCents: number
  jobsPausedAt: string | null
  restoring: boolean
  stoppedSince: string | null
  comparingSince: string | null
}

/** A single look: each part is found by its key, or by an index that is nearly always empty. */
export const holdsOf = (tx: Tx, testerId: string): Promise<HoldRow> =>
  tx.one(
    sql`select u.payment_method_changed_at as "paymentMethodChangedAt", u.payouts_paused_until as "payoutsPausedUntil",
      u.payouts_paused_because as "payoutsPausedBecause", u.email_verified_at is not null as "isConfirmed",
      u.suspended_at as "suspendedAt", u.suspension_reason as "suspensionReason",
      (select coalesce(sum(amount_cents), 0)::bigint from lost_movements
        where of_id = u.id and kind = 'PAYOUT' and booked_at is null) as "lostCents",
      p.paused_at as "jobsPausedAt", coalesce(p.reason = 'RESTORED', false) as restoring,
      (select min(found_at) from money_breaches where accepted_at is null) as "stoppedSince",
      (select off_since from provider_comparisons where only_row) as "comparingSince"
    from users u left join job_pauses p on p.resumed_at is null where u.id = ${testerId}`,
    'User',
  )

export type ApprovalOf = WaitingApproval & { withdrawalId: string }

/** A release counts while the admin who gave it is active. */
export const waitingApprovals = (tx: Tx, withdrawalIds: readonly string[]): Promise<ApprovalOf[]> =>
  tx.rows(sql`select a.withdrawal_id as "withdrawalId", a.requested_at as "requestedAt",
      coalesce(r.role = 'ADMIN' and r.deleted_at is null and r.suspended_at is null, false) as released
    from payout_approvals a left join users r on r.id = a.released_by
    where a.outcome is null and a.withdrawal_id = any(${withdrawalIds})`)
