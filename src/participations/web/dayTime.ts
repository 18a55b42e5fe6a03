import type { Day } from '../../kit/clock.ts'
import type { CampaignTester } from '../contract.ts'

/** When the tester checked in on a day, in the tester's time zone: "9:14 PM". */
export const checkInTime = ({ checkIns, timeZone }: CampaignTester, day: Day): string | null => {
  const at = checkIns.find(checkIn => checkIn.day === day)?.at
  // Old check-ins keep only their day (decision 050); their time is the beginning of that day.
  if (at === `${day}T00:00:00.000Z`) return null
  if (at === undefined) return null
  return new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone }).format(Date.parse(at))
}
