/** System settings, changed by admins (product.md §7). */
import { z } from 'zod'
import { endpoints } from '../kit/endpoint.ts'
import { formatCents, formatRate } from '../kit/money.ts'
import { ById, Cents, Id, Instant, wholeNumber } from '../kit/schemas.ts'
import { limitActions } from './limits.ts'
import { leastHours, weakPasswordPolicies } from './terms.ts'

export const Settings = z.object({
  /** The platform's fee in basis points: 1500 is 15 %. */
  feeBasisPoints: z.int(),
  minimumWithdrawalCents: Cents,
  /** A payout that takes its tester above this amount within 7 days waits for two admins; null if no payout does. */
  payoutApprovalCents: Cents.nullable(),
  /** Hours without a review until a proof is verified. */
  reviewHours: z.int(),
  /** Hours without a check-in until a tester is at risk, and until they lose their seat. */
  atRiskHours: z.int(),
  dropHours: z.int(),
  /** How many drafts a developer, and how many open tests a tester can have at a time. */
  draftsPerDeveloper: z.int(),
  openTestsPerTester: z.int(),
  /** The longest answer that Google's form for production access takes, in characters. */
  answerCharacters: z.int(),
  /**
   * The most that the platform pays in a month for appeals that nobody decided: for one developer’s campaigns, and for all
   * campaigns.
   */
  goodwillPerDeveloperCents: Cents,
  goodwillInAllCents: Cents,
  /** A developer's rejections need an admin's consent once this many of this many latest ones were overturned. */
  consentAfterOverturned: z.int(),
  consentOfLast: z.int(),
  /**
   * How long data is kept (docs/operations.md): check-ins after the end of their campaign, notifications, audit log entries before
   * they move into the archive, failed sign-ins, and finished jobs.
   */
  checkInMonths: z.int(),
  notificationMonths: z.int(),
  auditLogMonths: z.int(),
  signInMonths: z.int(),
  jobDays: z.int(),
  /** Joining and paying wait until the user has confirmed their address; only where emails really go out. */
  confirmedEmailRequired: z.boolean(),
  /** Whether the form only warns of a weak password, or refuses it. Admins' weak passwords are always refused. */
  weakPasswords: z.enum(weakPasswordPolicies),
})
export type Settings = z.output<typeof Settings>

/** A proposal to raise the payout limit or turn it off, which takes effect once another admin confirms it. */
export const LimitChange = z.object({
  id: Id,
  fromCents: Cents,
  /** Null turns it off. */
  toCents: Cents.nullable(),
  proposedBy: z.object({ id: Id, name: z.string() }),
  proposedAt: Instant,
  /** What the caller can do about it now. */
  actions: z.array(z.enum(limitActions)),
})
export type LimitChange = z.output<typeof LimitChange>

export const SettingsShown = Settings.extend({
  /** The proposal that waits for another admin; null if none does. */
  limitChange: LimitChange.nullable(),
})
export type SettingsShown = z.output<typeof SettingsShown>

export const overturnedAmongLast =
  '“Rejections considered” must be at least as high as “Consent after overturned rejections”.'
export const atRiskBeforeDrop = 'The at-risk time must be shorter than the drop time.'

const rate = { shown: formatRate, whole: 'in whole basis points' }
const dollars = { shown: formatCents, whole: 'in whole cents' }

export const SettingsChange = z
  .object({
    feeBasisPoints: wholeNumber('The fee', 0, 10_000, rate),
    minimumWithdrawalCents: wholeNumber('The minimum withdrawal', 100, 1_000_000, dollars),
    payoutApprovalCents: wholeNumber('The payout limit', 100, 100_000_000, dollars).nullable(),
    reviewHours: wholeNumber('The review window in hours', 1, 720),
    atRiskHours: wholeNumber('The at-risk time in hours', leastHours.atRiskHours, 720),
    dropHours: wholeNumber('The drop time in hours', leastHours.dropHours, 720),
    draftsPerDeveloper: wholeNumber('The number of drafts', 1, 10_000),
    openTestsPerTester: wholeNumber('The number of open tests', 1, 1000),
    answerCharacters: wholeNumber('The length of an answer', 100, 4000),
    goodwillPerDeveloperCents: wholeNumber('The goodwill pay per developer', 0, 10_000_000, dollars),
    goodwillInAllCents: wholeNumber('The total goodwill pay', 0, 100_000_000, dollars),
    consentAfterOverturned: wholeNumber('The number of overturned rejections', 1, 100),
    consentOfLast: wholeNumber('The number of rejections', 1, 100),
    checkInMonths: wholeNumber('The months of check-ins', 12, 120),
    notificationMonths: wholeNumber('The months of notifications', 3, 120),
    auditLogMonths: wholeNumber('The months of the audit log', 12, 120),
    signInMonths: wholeNumber('The months of failed sign-ins', 1, 12),
    jobDays: wholeNumber('The days of finished jobs', 1, 90),
    confirmedEmailRequired: z.boolean({ error: 'Confirmed email address required must be true or false' }),
    weakPasswords: z.enum(weakPasswordPolicies, { error: 'Weak passwords must be warn or refuse' }),
  })
  .partial()
  .refine(change => Object.keys(change).length > 0, { error: 'Change at least one setting' })
  .refine(({ atRiskHours = 0, dropHours = Infinity }) => atRiskHours < dropHours, {
    error: atRiskBeforeDrop,
    path: ['atRiskHours'],
  })
  .refine(({ consentAfterOverturned = 0, consentOfLast = Infinity }) => consentAfterOverturned <= consentOfLast, {
    error: overturnedAmongLast,
    path: ['consentAfterOverturned'],
  })
export type SettingsChange = z.output<typeof SettingsChange>

const onLimitChange = {
  method: 'POST',
  access: 'ADMIN',
  params: ById,
  reply: SettingsShown,
  stepUp: true,
  errors: ['WRONG_STATE'],
} as const

export const settingsApi = endpoints({
  settings: {
    method: 'GET',
    path: '/admin/settings',
    access: 'ADMIN',
    summary: 'System settings.',
    reply: SettingsShown,
  },
  changeSettings: {
    method: 'PATCH',
    path: '/admin/settings',
    access: 'ADMIN',
    summary:
      'Change settings. Campaign settings apply to new campaigns only. Payouts can be made to wait for a second admin only while there are two. Raising the payout limit, or turning it off with null, only proposes the change: `limitChange` waits until another admin confirms it.',
    body: SettingsChange,
    reply: SettingsShown,
    stepUp: true,
    errors: ['WRONG_STATE'],
  },
  confirmLimit: {
    ...onLimitChange,
    path: '/admin/limit-changes/:id/confirm',
    summary: 'Confirm raising or turning off the payout limit. 409 for the admin who proposed it.',
  },
  refuseLimit: {
    ...onLimitChange,
    path: '/admin/limit-changes/:id/refuse',
    summary: 'Refuse to raise or turn off the payout limit, or cancel one’s own proposal. The limit stays.',
  },
})
