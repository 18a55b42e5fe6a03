import { formatCents, formatRate } from '../../kit/money.ts'
import { counted } from '../../kit/words.ts'
import {
  answerCharacters,
  atRiskHours,
  auditLogMonths,
  checkInMonths,
  consentAfterOverturned,
  consentOfLast,
  draftsPerDeveloper,
  dropHours,
  goodwillInAllCents,
  goodwillPerDeveloperCents,
  jobDays,
  minimumWithdrawalCents,
  payoutApprovalCents,
  notificationMonths,
  openTestsPerTester,
  confirmedEmailRequired,
  platformFee,
  reviewHours,
  signInMonths,
  weakPasswords,
} from '../terms.ts'
import type { Settings } from '../contract.ts'

/** Spec §9; product.md §3. */
export const settingDefaults: Settings = {
  feeBasisPoints: platformFee,
  minimumWithdrawalCents,
  payoutApprovalCents,
  reviewHours,
  atRiskHours,
  dropHours,
  draftsPerDeveloper,
  openTestsPerTester,
  answerCharacters,
  goodwillPerDeveloperCents,
  goodwillInAllCents,
  consentAfterOverturned,
  consentOfLast,
  checkInMonths,
  notificationMonths,
  auditLogMonths,
  signInMonths,
  jobDays,
  confirmedEmailRequired,
  weakPasswords,
}

const months = (count: number) => counted(count, 'month')
const hours = (count: number) => counted(count, 'hour')

export const settingLabels: Record<keyof Settings, string> = {
  feeBasisPoints: 'Platform fee',
  minimumWithdrawalCents: 'Minimum withdrawal',
  payoutApprovalCents: 'Two admins for payouts above',
  reviewHours: 'Review window',
  atRiskHours: 'At risk after',
  dropHours: 'Dropped after',
  draftsPerDeveloper: 'Drafts per developer',
  openTestsPerTester: 'Open tests per tester',
  answerCharacters: 'Answers in reports',
  goodwillPerDeveloperCents: 'Goodwill pay per developer',
  goodwillInAllCents: 'Goodwill pay, total',
  consentAfterOverturned: 'Consent after overturned rejections',
  consentOfLast: 'Rejections considered',
  checkInMonths: 'Check-ins',
  notificationMonths: 'Notifications',
  auditLogMonths: 'Audit log',
  signInMonths: 'Failed sign-ins',
  jobDays: 'Finished jobs',
  confirmedEmailRequired: 'Confirmed email address',
  weakPasswords: 'Weak passwords',
}

export const weakPasswordWords: Record<Settings['weakPasswords'], string> = {
  warn: 'Warn only',
  refuse: 'Refuse for everyone',
}

const texts: { [K in keyof Settings]: (value: Settings[K]) => string } = {
  feeBasisPoints: formatRate,
  minimumWithdrawalCents: formatCents,
  payoutApprovalCents: cents => (cents === null ? 'off' : formatCents(cents)),
  reviewHours: hours,
  atRiskHours: hours,
  dropHours: hours,
  draftsPerDeveloper: count => counted(count, 'draft'),
  openTestsPerTester: count => counted(count, 'test'),
  answerCharacters: count => counted(count, 'character'),
  goodwillPerDeveloperCents: cents => `${formatCents(cents)} a month`,
  goodwillInAllCents: cents => `${formatCents(cents)} a month`,
  consentAfterOverturned: count => counted(count, 'overturned rejection'),
  consentOfLast: count => counted(count, 'rejection'),
  checkInMonths: months,
  notificationMonths: months,
  auditLogMonths: months,
  signInMonths: months,
  jobDays: count => counted(count, 'day'),
  confirmedEmailRequired: required => (required ? 'Required to join and pay' : 'Not required to join and pay'),
  weakPasswords: policy => weakPasswordWords[policy],
}

export const settingText = <K extends keyof Settings>(name: K, value: Settings[K]): string => texts[name](value)

export const settingNames = Object.keys(settingLabels) as (keyof Settings)[]
