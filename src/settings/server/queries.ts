import { sql, type Tx } from '../../kit/server/db.ts'
import type { Settings } from '../contract.ts'

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

/** Counted up to two. An admin who is suspended, or whose account is deleted, decides on nothing. */
export const hasTwoAdmins = (tx: Tx): Promise<boolean> =>
  tx.value(sql`select count(*) = 2 from (
    select from users where role = 'ADMIN' and deleted_at is null and suspended_at is null limit 2) admins`)
