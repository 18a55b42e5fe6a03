/** Default settings, apart from the schemas so that a first screen does not load zod. */
import type { BasisPoints, Cents } from '../kit/money.ts'

/** Whether a weak password is only named in the form, or refused. */
export const weakPasswordPolicies = ['warn', 'refuse'] as const
export type WeakPasswordPolicy = (typeof weakPasswordPolicies)[number]
export const weakPasswords: WeakPasswordPolicy = 'warn'

/** 15 % of testers × pay (spec §9). */
export const platformFee: BasisPoints = 1500

/** Spec §9. */
export const minimumWithdrawalCents: Cents = 1000

/** Off: no payout waits for two admins. */
export const payoutApprovalCents: Cents | null = null

/**
 * Hours without a check-in or a due proof until a tester is at risk, and until they are dropped; and hours without a
 * review until a proof is verified (product.md §3).
 */
export const atRiskHours = 48
export const dropHours = 72
export const reviewHours = 72
/**
 * Whoever checks in each day may do so early on one day and late on the next, and a day has up to 25 hours. What was set before
 * these bounds stays until somebody raises it.
 */
export const leastHours = { atRiskHours: 25, dropHours: 50 }

/** What one user can have at a time. */
export const draftsPerDeveloper = 100
export const openTestsPerTester = 8

/** What the form for production access takes as an answer to each question, in characters. */
export const answerCharacters = 300

/**
 * What the platform pays at most in a month (UTC) for appeals that nobody decided in seven days: for the campaigns of one
 * developer, and for all.
 */
export const goodwillPerDeveloperCents: Cents = 20_000
export const goodwillInAllCents: Cents = 200_000

/** An admin must consent to a developer's rejections once so many of the last so many were overturned. */
export const consentAfterOverturned = 3
export const consentOfLast = 10

/**
 * How long data is kept, in months and days (GDPR, article 5 (1) e): a test's details for two years after its campaign, what a
 * user was told for one, admins' acts at hand for two before they go into the archive, and failed sign-ins for as long as
 * somebody may still look into an attack.
 */
export const checkInMonths = 24
export const notificationMonths = 12
export const auditLogMonths = 24
export const signInMonths = 3
export const jobDays = 7

export const confirmedEmailRequired = false
