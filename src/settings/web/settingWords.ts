import { formatCents, formatRate } from '../../kit/money.ts'
import { counted } from '../../kit/words.ts'
import {
  atRiskHours,
  draftsPerDeveloper,
  dropHours,
  minimumWithdrawalCents,
  openTestsPerTester,
  platformFee,
  reviewHours,
} from '../terms.ts'
import type { Settings } from '../contract.ts'

/** Spec §9; product.md §3. */
export const settingDefaults: Settings = {
  feeBasisPoints: platformFee,
  minimumWithdrawalCents,
  reviewHours,
  atRiskHours,
  dropHours,
  draftsPerDeveloper,
  openTestsPerTester,
}

const hours = (count: number) => counted(count, 'hour')

export const settingLabels: Record<keyof Settings, string> = {
  feeBasisPoints: 'Platform fee',
  minimumWithdrawalCents: 'Minimum withdrawal',
  reviewHours: 'Review window',
  atRiskHours: 'At risk after',
  dropHours: 'Dropped after',
  draftsPerDeveloper: 'Drafts per developer',
  openTestsPerTester: 'Open tests per tester',
}

export const settingText: Record<keyof Settings, (value: number) => string> = {
  feeBasisPoints: formatRate,
  minimumWithdrawalCents: formatCents,
  reviewHours: hours,
  atRiskHours: hours,
  dropHours: hours,
  draftsPerDeveloper: count => counted(count, 'draft'),
  openTestsPerTester: count => counted(count, 'test'),
}

export const settingNames = Object.keys(settingLabels) as (keyof Settings)[]
