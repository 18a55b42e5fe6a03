import type { Role } from '../../kit/roles.ts'

/** The title of each role's list of campaigns (spec §2). */
export const listNames: Record<Role, string> = {
  DEVELOPER: 'My Campaigns',
  TESTER: 'Available Campaigns',
  ADMIN: 'Campaigns',
}
