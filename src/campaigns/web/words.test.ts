import type { CampaignStatus } from '../contract.ts'
import { expect, test } from 'vitest'
import { countriesText, deviceText, endOf, feeLabel, fullCountryName, newLinkName, seatsText } from './words.ts'

const filters = { countries: [] as string[], minAndroidVersion: '13', minIOSVersion: '17.2' }

test.each([
  [[], 'Anywhere'],
  [['DE'], 'Germany'],
  [['Germany', 'uk'], 'Germany and United Kingdom'],
  [['DE', 'FR', 'Atlantis'], 'Germany, France, and Atlantis'],
])('testers from %j are wanted from “%s”', (countries, text) => {
  expect(countriesText({ filters: { ...filters, countries } })).toBe(text)
})

test('a country has its full name however a developer wrote it, and an unknown one stays as written', () => {
  expect(['de', 'UK', 'germany', 'Atlantis'].map(fullCountryName)).toEqual([
    'Germany',
    'United Kingdom',
    'Germany',
    'Atlantis',
  ])
})

test('the oldest system is that of the campaign’s own platform', () => {
  expect(deviceText({ platform: 'android', filters })).toBe('Android 13 or newer')
  expect(deviceText({ platform: 'ios', filters })).toBe('iOS 17.2 or newer')
  expect(deviceText({ platform: 'android', filters: { ...filters, minAndroidVersion: null } })).toBe(
    'Any Android version',
  )
  expect(deviceText({ platform: 'ios', filters: { ...filters, minIOSVersion: null } })).toBe('Any iOS version')
})

test('the fee names its rate', () => {
  expect(feeLabel(1250)).toBe('Platform fee (12.5%)')
})

const twelve = {
  status: 'LIVE' as CampaignStatus,
  testersRequired: 12,
  closedSeats: 0,
  _count: { campaignTesters: 10, joined: 14, verified: 4 },
}

test.each(['COMPLETED', 'CANCELLED'] as const)(
  'after the end no seat is held: of a %s one all who joined count',
  status => {
    expect(seatsText({ ...twelve, status, closedSeats: 2 })).toBe('14 joined')
  },
)

test('a campaign that has ended has the day on which it did, whatever was planned', () => {
  const [endDate, endedAt] = ['2026-12-29T12:00:00.000Z', '2026-12-27T12:00:00.000Z']
  expect([
    endOf({ endDate, endedAt: null }),
    endOf({ endDate, endedAt }),
    endOf({ endDate: null, endedAt: null }),
  ]).toEqual([endDate, endedAt, null])
})

test.each([
  [0, '10 / 12'],
  [1, '10 / 11, 1 closed'],
  [2, '10 / 10, 2 closed'],
])(
  '10 of 12 seats are taken and %s closed: the taken ones are of those that the percentage counts',
  (closedSeats, text) => {
    expect(seatsText({ ...twelve, closedSeats })).toBe(text)
  },
)

test('an admin reads which of the links wait for approval', () => {
  const link = 'https://example.com/app'
  expect(newLinkName({ pendingLink: link, pendingGroupLink: null })).toBe('app link')
  expect(newLinkName({ pendingLink: null, pendingGroupLink: link })).toBe('Google Group')
  expect(newLinkName({ pendingLink: link, pendingGroupLink: link })).toBe('app link and Google Group')
})
