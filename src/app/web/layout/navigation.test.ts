import { expect, test } from 'vitest'
import type { Role } from '../../../kit/roles.ts'
import { paths } from '../../../kit/paths.ts'
import { currentItem, navigation } from './navigation.ts'

const marked = (role: Role, pathname: string, hash = '') => currentItem(navigation[role], { pathname, hash })?.label

test('a developer redirected to their own figures sees Analytics marked, and Dashboard elsewhere', () => {
  const [pathname = '', section] = paths.ownAnalytics.split('#')
  expect(marked('DEVELOPER', pathname, `#${section}`)).toBe('Analytics')
  expect(marked('DEVELOPER', pathname)).toBe('Dashboard')
  expect(marked('DEVELOPER', pathname, '#main')).toBe('Dashboard')
  expect(marked('ADMIN', paths.analytics)).toBe('Analytics')
})

test('a detail screen marks its list, and the longest matching prefix wins', () => {
  expect(marked('DEVELOPER', paths.campaign('1'))).toBe('My Campaigns')
  expect(marked('DEVELOPER', paths.campaignCreate)).toBe('Create Campaign')
  expect(marked('ADMIN', paths.campaignsPending)).toBe('Pending Approvals')
  expect(marked('ADMIN', paths.auditLog)).toBe('Audit Logs')
  expect(marked('ADMIN', paths.waitlist)).toBe('Waitlist')
  expect(marked('ADMIN', paths.systemSettings)).toBe('System Settings')
  expect(marked('DEVELOPER', paths.bug('1'))).toBe('My Campaigns')
  expect(marked('TESTER', paths.bug('1'))).toBe('My Tests')
  expect(marked('TESTER', paths.bugReport('1'))).toBe('My Tests')
  expect(marked('TESTER', paths.statement('2026-11'))).toBe('Balance')
  expect(marked('DEVELOPER', paths.statements)).toBe('Payments')
  expect(marked('TESTER', paths.settings)).toBeUndefined()
})
