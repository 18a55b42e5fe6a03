/** What the form of the profile says, also before its code has loaded (shells.tsx). */
import type { Role } from '../../../kit/roles.ts'

export const profileLabels = { name: 'Full name', country: 'Country', timeZone: 'Time zone' }

type Hints = { country?: string; timeZone?: string }

/** Only testers' profiles decide about anything. */
export const profileHints = (role: Role): Hints =>
  role === 'TESTER'
    ? {
        country: 'Some campaigns only accept testers from certain countries.',
        timeZone: 'Sets when your check-in days start and end. Changes apply from your next test.',
      }
    : {}

export const saveProfile = 'Save profile'
