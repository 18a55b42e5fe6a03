/** Default settings, apart from the schemas so that a first screen does not load zod. */
import type { BasisPoints, Cents } from '../kit/money.ts'

/** Whether the form only warns of a weak password, or refuses it. */
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
 * Somebody who checks in each day may do so early on one day and late on the next, and a day has up to 25 hours. A value from
 * before these bounds stays until somebody raises it.
 */
export const leastHours = { atRiskHours: 25, dropHours: 50 }

/** How many one user can have at a time. */
export const draftsPerDeveloper = 100
export const openTestsPerTester = 8

/** The longest answer that the form for production access accepts, in characters. */
export const answerCharacters = 300

/**
 * The most that the platform pays in a month (UTC) for appeals that nobody decided in seven days: for one developer's campaigns,
 * and for all campaigns.
 */
export const goodwillPerDeveloperCents: Cents = 20_000
export const goodwillInAllCents: Cents = 200_000

/**
 * A developer's rejections need an admin's consent once this many of the latest ones were overturned; the second number is how
 * many count as latest.
 */
export const consentAfterOverturned = 3
export const consentOfLast = 10

/**
 * How long data is kept, in months and days (GDPR, article 5 (1) e): a test's details for two years after its campaign,
 * notifications for one year, admins' actions for two years before they move into the archive, and failed sign-ins for as long as
 * somebody may still investigate an attack.
 */
export const checkInMonths = 24
export const notificationMonths = 12
export const auditLogMonths = 24
export const signInMonths = 3
export const jobDays = 7

export const confirmedEmailRequired = false
