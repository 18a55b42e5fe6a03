import { formatCents, formatRate } from '../../kit/money.ts'
import { counted } from '../../kit/words.ts'
import { atRiskHours, dropHours, minimumWithdrawalCents, platformFee, reviewHours } from '../terms.ts'
import type { Settings } from '../contract.ts'

/** Spec §9; product.md §3. */
export const settingDefaults: Settings = {
  feeBasisPoints: platformFee,
  minimumWithdrawalCents,
  reviewHours,
  atRiskHours,
  dropHours,
}

const hours = (count: number) => counted(count, 'hour')

export const settingLabels: Record<keyof Settings, string> = {
  feeBasisPoints: 'Platform fee',
  minimumWithdrawalCents: 'Minimum withdrawal',
  reviewHours: 'Review window',
  atRiskHours: 'At risk after',
  dropHours: 'Dropped after',
}

export const settingText: Record<keyof Settings, (value: number) => string> = {
  feeBasisPoints: formatRate,
  minimumWithdrawalCents: formatCents,
  reviewHours: hours,
  atRiskHours: hours,
  dropHours: hours,
}

export const settingNames = Object.keys(settingLabels) as (keyof Settings)[]
