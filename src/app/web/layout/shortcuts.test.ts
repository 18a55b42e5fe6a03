import { expect, test } from 'vitest'
import type { Role } from '../../../kit/roles.ts'
import { destinations } from './shortcuts.ts'

const listed = (role: Role) => destinations(role).map(({ label, goKey }) => `${label} ${goKey ?? '-'}`)

test.each<[Role, string[]]>([
  ['DEVELOPER', ['Dashboard d', 'My Campaigns c', 'Analytics a', 'Payments p', 'Notifications n', 'Settings s']],
  ['TESTER', ['Dashboard d', 'Available Campaigns c', 'My Tests t', 'Balance b', 'Notifications n', 'Settings s']],
  [
    'ADMIN',
    [
      'Dashboard d',
      'Campaigns c',
      'Users u',
      'Fraud Reports f',
      'Analytics a',
      'Pending Approvals q',
      'Waitlist -',
      'Audit Logs l',
      'Operations -',
      'Ledger -',
      'System Settings -',
      'Security Report -',
      'Notifications n',
      'Settings s',
    ],
  ],
])('the shortcuts of a %s reach every screen of that role, by g and a letter if there is one', (role, all) => {
  expect(listed(role)).toEqual(all)
})
