import { expect, test } from 'vitest'
import type { CampaignTester } from '../contract.ts'
import { checkInTime } from './dayTime.ts'

const checkIn = (day: string, time: string) => ({ day, at: `${day}T${time}.000Z` })
const tester = {
  timeZone: 'America/New_York',
  checkIns: [checkIn('2026-11-21', '15:30:00'), checkIn('2026-11-22', '21:14:00'), checkIn('2026-11-23', '00:00:00')],
} as CampaignTester

test.each([
  ['2026-11-21', '10:30 AM'],
  ['2026-11-22', '4:14 PM'],
  // Only the day is kept.
  ['2026-11-23', undefined],
  // No check-in.
  ['2026-11-24', undefined],
])('of %s the time of the check-in, in the tester’s time zone, is %s', (day, time) => {
  expect(checkInTime(tester, day)?.replace('\u202f', ' ')).toBe(time)
})
