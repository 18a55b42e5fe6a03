import type { Role } from '../../kit/roles.ts'

/** What each role's list of campaigns is called (spec §2). */
export const listNames: Record<Role, string> = {
  DEVELOPER: 'My Campaigns',
  TESTER: 'Available Campaigns',
  ADMIN: 'Campaigns',
}
