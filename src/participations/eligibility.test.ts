import { expect, test } from 'vitest'
import { assertMayJoin, type Requirements, versionToCompare, whyNotEligible } from './eligibility.ts'

const needs = (more: Partial<Requirements> = {}): Requirements => ({
  platform: 'android',
  countryCodes: [],
  minAndroidVersion: null,
  minIOSVersion: null,
  ...more,
})
const german = { country: 'DE' }
const nowhere = { country: null }

test('a campaign without filters takes every device and every country', () => {
  expect(whyNotEligible(needs(), nowhere, { model: 'Something' })).toBeNull()
})

test('a device of the other platform is refused with the reason; one that does not name its platform is accepted', () => {
  expect(whyNotEligible(needs(), german, { model: 'iPhone', platform: 'ios' })).toBe(
    'Needs an Android device; yours runs iOS.',
  )
  expect(whyNotEligible(needs({ platform: 'ios' }), german, { model: 'iPhone' })).toBeNull()
})

test('the profile’s country must be one of the requested countries', () => {
  const european = needs({ countryCodes: ['FR', 'DE', 'AT'] })
  expect(whyNotEligible(european, german, { model: 'x' })).toBeNull()
  expect(whyNotEligible(european, { country: 'US' }, { model: 'x' })).toBe(
    'Needs a tester from France, Germany, or Austria; you are from the United States.',
  )
  expect(whyNotEligible(european, nowhere, { model: 'x' })).toBe(
    'Needs a tester from France, Germany, or Austria. Set your country in your profile first.',
  )
})

test.each([
  ['13', '13', true],
  ['13', '13.1', true],
  ['13', 'Android 14', true],
  ['13', '12.9.9', false],
  ['13.1', '13', false],
  ['13.1', '13.10', true],
  ['13.10', '13.9', false],
  ['9', '10', true],
  ['13.1.2', '13.1.2.7', true],
  ['13.1.2', '13.1', false],
  ['13.0', '13', true],
])('of a campaign from version %s on, a device of version %s may join: %s', (minAndroidVersion, osVersion, fits) => {
  const why = whyNotEligible(needs({ minAndroidVersion }), german, { model: 'x', osVersion })
  expect(why === null).toBe(fits)
  if (!fits) expect(why).toBe(`Needs Android ${minAndroidVersion} or newer; you have ${osVersion}.`)
})

test.each([
  ['One UI 6.1 (Android 14)', [14, 0, 0]],
  ['HyperOS 1.0.5, based on Android version 13.1', [13, 1, 0]],
  ['android14', [14, 0, 0]],
  ['Android 14, One UI 6.1', [14, 0, 0]],
  ['iPadOS 17.2 (21C62)', [17, 2, 0]],
  ['14 (Android)', [14, 0, 0]],
  ['11 (Android API 30)', [11, 0, 0]],
  ['14, Android patch 2024-05', [14, 0, 0]],
  ['17.2 (iOS build 21C62)', [17, 2, 0]],
  ['14, Android One UI 6.1', [14, 0, 0]],
  ['Android v14', [14, 0, 0]],
  ['One UI 6.1', [6, 1, 0]],
  ['Android', null],
])('“%s” counts as %j: the number behind the system’s name, or else the first', (osVersion, version) => {
  expect(versionToCompare(osVersion)).toEqual(version)
})

test('the version of the maker’s own interface keeps nobody out', () => {
  const device = { model: 'Galaxy S23', osVersion: 'One UI 6.1 (Android 14)' }
  expect(whyNotEligible(needs({ minAndroidVersion: '14' }), german, device)).toBeNull()
  expect(whyNotEligible(needs({ minAndroidVersion: '15' }), german, device)).toBe(
    'Needs Android 15 or newer; you have 14.',
  )
})

test('a device that hides its version cannot join where one is asked for', () => {
  for (const osVersion of [undefined, '', 'newest']) {
    expect(
      whyNotEligible(needs({ minAndroidVersion: '13' }), german, {
        model: 'x',
        ...(osVersion !== undefined && { osVersion }),
      }),
    ).toBe('Needs Android 13 or newer. Enter the version that your device runs.')
  }
})

test('only the version of the campaign’s own platform counts', () => {
  expect(whyNotEligible(needs({ minIOSVersion: '17' }), german, { model: 'x', osVersion: '9' })).toBeNull()
  expect(whyNotEligible(needs({ platform: 'ios', minIOSVersion: '17' }), german, { model: 'x', osVersion: '16' })).toBe(
    'Needs iOS 17 or newer; you have 16.',
  )
})

test.each([
  ['LIVE', false, true, 'accept it'],
  ['LIVE', false, false, 'We will tell you'],
  ['LIVE', true, true, 'We will tell you'],
  ['PAUSED', false, true, 'We will tell you'],
] as const)(
  'on the bench of a %s campaign (takes nobody: %s, a seat held: %s), a tester is told: %s',
  (status, takesNobody, benchOffer, told) => {
    const full = { testersRequired: 2, seatsTaken: 2, closedSeats: 0, offeredSeats: 0, benchTesters: 1 }
    const campaign = { ...full, status, takesNobody, benchOffer, joinedBefore: true }
    expect(() => assertMayJoin(campaign, true)).toThrow(told)
  },
)
