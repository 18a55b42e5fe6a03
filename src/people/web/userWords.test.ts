import { expect, test } from 'vitest'
import type { AdminUser } from '../contract.ts'
import { activityOf } from './userWords.ts'

const user = (role: AdminUser['role'], totalCampaigns: number, totalTests: number) =>
  ({ role, totalCampaigns, totalTests }) as AdminUser

test('the list shows how many campaigns a developer has, and how many tests any other user', () => {
  expect(activityOf(user('DEVELOPER', 1, 7))).toBe('1 campaign')
  expect(activityOf(user('DEVELOPER', 1200, 7))).toBe('1,200 campaigns')
  expect(activityOf(user('TESTER', 7, 1))).toBe('1 test')
  expect(activityOf(user('ADMIN', 7, 0))).toBe('0 tests')
})
