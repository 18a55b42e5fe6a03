import { sql, type Tx } from '../../kit/server/db.ts'
import type { Settings } from '../contract.ts'
import type { LimitState } from '../limits.ts'

const settingColumns = sql`fee_basis_points as "feeBasisPoints", minimum_withdrawal_cents as "minimumWithdrawalCents",
  payout_approval_cents as "payoutApprovalCents",
  review_hours as "reviewHours", at_risk_hours as "atRiskHours", drop_hours as "dropHours",
  drafts_per_developer as "draftsPerDeveloper", open_tests_per_tester as "openTestsPerTester",
  answer_characters as "answerCharacters", goodwill_per_developer_cents as "goodwillPerDeveloperCents",
  goodwill_in_all_cents as "goodwillInAllCents", consent_after_overturned as "consentAfterOverturned",
  consent_of_last as "consentOfLast", confirmed_email_required as "confirmedEmailRequired",
  check_in_months as "checkInMonths", notification_months as "notificationMonths",
  audit_log_months as "auditLogMonths", sign_in_months as "signInMonths", job_days as "jobDays",
  weak_passwords as "weakPasswords"`

export const settings = (tx: Tx): Promise<Settings> => tx.one(sql`select ${settingColumns} from settings`, 'Settings')

export const lockSettings = (tx: Tx): Promise<Settings> =>
  tx.one(sql`select ${settingColumns} from settings for update`, 'Settings')

export const updateSettings = (tx: Tx, s: Settings): Promise<number> =>
  tx.run(sql`update settings set fee_basis_points = ${s.feeBasisPoints},
    minimum_withdrawal_cents = ${s.minimumWithdrawalCents}, payout_approval_cents = ${s.payoutApprovalCents},
    review_hours = ${s.reviewHours},
    at_risk_hours = ${s.atRiskHours}, drop_hours = ${s.dropHours},
    drafts_per_developer = ${s.draftsPerDeveloper}, open_tests_per_tester = ${s.openTestsPerTester},
    answer_characters = ${s.answerCharacters}, goodwill_per_developer_cents = ${s.goodwillPerDeveloperCents},
    goodwill_in_all_cents = ${s.goodwillInAllCents}, consent_after_overturned = ${s.consentAfterOverturned},
    consent_of_last = ${s.consentOfLast}, confirmed_email_required = ${s.confirmedEmailRequired},
    check_in_months = ${s.checkInMonths}, notification_months = ${s.notificationMonths},
    audit_log_months = ${s.auditLogMonths}, sign_in_months = ${s.signInMonths}, job_days = ${s.jobDays},
    weak_passwords = ${s.weakPasswords}`)

/** Counts active admins up to two. A suspended admin, or one whose account is deleted, decides nothing. */
export const hasTwoAdmins = (tx: Tx): Promise<boolean> =>
  tx.value(sql`select count(*) = 2 from (
    select from users where role = 'ADMIN' and deleted_at is null and suspended_at is null limit 2) admins`)

export type LimitChangeRow = LimitState & {
  id: string
  fromCents: number
  toCents: number | null
  proposerId: string
  proposedAt: string
}

const isActiveAdmin = sql`(u.role = 'ADMIN' and u.deleted_at is null and u.suspended_at is null)`

const changes = sql`select c.id, c.from_cents as "fromCents", c.to_cents as "toCents", u.id as "proposerId",
    u.name as "proposerName", case when ${isActiveAdmin} then u.id end as "proposedBy", c.proposed_at as "proposedAt",
    c.outcome is null as "isOpen"
  from limit_changes c join users u on u.id = c.proposed_by`

export const openLimitChange = (tx: Tx): Promise<LimitChangeRow | undefined> =>
  tx.maybe(sql`${changes} where c.outcome is null`)

export const limitChange = (tx: Tx, id: string): Promise<LimitChangeRow> =>
  tx.one(sql`${changes} where c.id = ${id}`, 'Change')

/**
 * Locks the change, then the deciding admin and the one who proposed it, so that neither stops being an admin meanwhile. False
 * unless the caller is an active admin.
 */
export const lockLimitChange = async (tx: Tx, id: string, adminId: string): Promise<boolean> => {
  const { proposedBy } = await tx.one<{ proposedBy: string }>(
    sql`select proposed_by as "proposedBy" from limit_changes where id = ${id} for update`,
    'Change',
  )
  const admins = await tx.rows<{ id: string; isActive: boolean }>(sql`select u.id, ${isActiveAdmin} as "isActive"
    from users u where u.id = any(${[adminId, proposedBy]}) order by u.id for share`)
  return admins.some(admin => admin.id === adminId && admin.isActive)
}

type NewChange = { id: string; fromCents: number; toCents: number | null; adminId: string; now: string }

export const insertLimitChange = (tx: Tx, c: NewChange): Promise<number> =>
  tx.run(sql`insert into limit_changes (id, from_cents, to_cents, proposed_by, proposed_at)
    values (${c.id}, ${c.fromCents}, ${c.toCents}, ${c.adminId}, ${c.now})`)

type Decided = { outcome: 'CONFIRMED' | 'REFUSED'; adminId: string; now: string }

export const decideLimitChange = (tx: Tx, id: string, d: Decided): Promise<number> =>
  tx.run(sql`update limit_changes set outcome = ${d.outcome}, decided_by = ${d.adminId}, decided_at = ${d.now}
    where id = ${id} and outcome is null`)

/** The limit has changed, or another change is proposed. */
export const lapseLimitChange = (tx: Tx, adminId: string, now: string): Promise<number> =>
  tx.run(
    sql`update limit_changes set outcome = 'LAPSED', decided_by = ${adminId}, decided_at = ${now} where outcome is null`,
  )
