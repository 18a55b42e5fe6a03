import { expect, test } from 'vitest'
import { SettingsChange } from './contract.ts'

test.each([
  [{ feeBasisPoints: 10_100 }, 'The fee may be at most 100%'],
  [{ minimumWithdrawalCents: 50 }, 'The minimum withdrawal must be at least $1.00'],
  [{ payoutApprovalCents: 100_000_001 }, 'The payout limit may be at most $1,000,000.00'],
  [{ goodwillPerDeveloperCents: 10_000_001 }, 'The goodwill pay per developer may be at most $100,000.00'],
  [{ goodwillInAllCents: 100_000_001 }, 'The total goodwill pay may be at most $1,000,000.00'],
  [{ feeBasisPoints: 1250.5 }, 'The fee must be in whole basis points'],
  [{ minimumWithdrawalCents: 150.5 }, 'The minimum withdrawal must be in whole cents'],
  [{ reviewHours: 721 }, 'The review window in hours may be at most 720'],
  [{ atRiskHours: 24 }, 'The at-risk time in hours must be at least 25'],
  [{ dropHours: 49 }, 'The drop time in hours must be at least 50'],
])(
  'limits are named in the unit that the form shows, and what has parts in that of the call: %o',
  (change, message) => {
    expect(SettingsChange.safeParse(change).error?.issues.map(issue => issue.message)).toEqual([message])
  },
)

test.each([
  { feeBasisPoints: 10_000 },
  { minimumWithdrawalCents: 1_000_000 },
  { payoutApprovalCents: 100_000_000 },
  { reviewHours: 720 },
  { atRiskHours: 720 },
  { dropHours: 720 },
  { goodwillPerDeveloperCents: 10_000_000 },
  { goodwillInAllCents: 100_000_000 },
])('a setting may be as high as its limit: %o', change => {
  expect(SettingsChange.safeParse(change).error?.issues).toBeUndefined()
})
