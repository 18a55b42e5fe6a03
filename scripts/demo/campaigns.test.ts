import { expect, test } from 'vitest'
import { plans } from './campaigns.ts'

// Both times are drawn within a day: with less between them, a campaign could be cancelled before it is paid for.
test.each(plans.filter(({ endedDaysAgo }) => endedDaysAgo !== undefined))(
  '$app is not paused or cancelled before its owner has paid for it',
  ({ createdDaysAgo, endedDaysAgo }) => expect(createdDaysAgo - endedDaysAgo!).toBeGreaterThanOrEqual(2),
)
