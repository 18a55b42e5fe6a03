/** Times for users whose browser is, or is not, in the zone of their profile. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { session } from '../session.ts'
import { dateOnly, exact, relativeWords } from './relativeWords.ts'

const at = '2026-12-15T03:18:00.000Z'

const inProfile = (timeZone?: string) =>
  session.signIn({
    accessToken: 'access',
    refreshToken: 'refresh',
    user: { id: 'u1', name: 'Ada', email: 'ada@example.test', role: 'TESTER', timeZone },
  })

/** Wherever these tests run, the browser may have the time of one of these zones, and then that is shown without a name. */
const ofBrowser = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' })

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })
const dateOfBrowser = (instant: string) => dateFormat.format(Date.parse(instant))

beforeEach(() => session.clear())
afterEach(() => session.clear())

test.each([
  ['America/New_York', 'Dec 14, 2026, 10:18 PM', 'EST', 'Dec 14, 2026'],
  ['Asia/Tokyo', 'Dec 15, 2026, 12:18 PM', 'GMT+9', 'Dec 15, 2026'],
  ['Pacific/Kiritimati', 'Dec 15, 2026, 5:18 PM', 'GMT+14', 'Dec 15, 2026'],
])(
  'with a profile in %s, times and days are in that zone, which is named if the browser would show something else',
  (zone, time, name, date) => {
    inProfile(zone)
    expect(exact(at)).toBe(ofBrowser.format(Date.parse(at)) === time ? time : `${time} ${name}`)
    expect(dateOnly(at)).toBe(dateOfBrowser(at) === date ? date : `${date}, ${name}`)
  },
)

test('a zone with another name but the same time is not named, nor is one that the browser does not know', () => {
  const { timeZone } = ofBrowser.resolvedOptions()
  for (const same of [timeZone === 'UTC' ? 'Africa/Abidjan' : timeZone, undefined, 'Atlantis/Poseidonis']) {
    inProfile(same)
    expect(exact(at)).toBe(ofBrowser.format(Date.parse(at)))
    expect(dateOnly(at)).toBe(dateOfBrowser(at))
  }
})

test('the days of the profile’s zone decide what was yesterday', () => {
  const [now, before] = ['2026-12-15T06:00:00.000Z', '2026-12-14T04:30:00.000Z']
  inProfile('America/New_York')
  // In New York these are Sunday evening and Tuesday night.
  expect([dateOnly(before).slice(0, 12), relativeWords(now, before)]).toEqual(['Dec 13, 2026', '2 days ago'])
  inProfile('Asia/Tokyo')
  expect([dateOnly(before).slice(0, 12), relativeWords(now, before)]).toEqual(['Dec 14, 2026', 'yesterday'])
})
