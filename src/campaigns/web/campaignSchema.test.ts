import { expect, test } from 'vitest'
import { changeOf, FilledCampaign } from './campaignSchema.ts'

const values = {
  title: 'Notes',
  description: 'Take notes',
  distributionLink: 'https://play.google.com/apps/testing/org.notes',
  platform: 'android' as const,
  testersRequired: 12,
  payPerTesterCents: 1000,
  durationDays: 14,
  filters: { countries: ['DE'], minAndroidVersion: '', minIOSVersion: '' },
  dailyCheckIn: true,
  accessMode: 'OPEN_LINK' as const,
  groupLink: null,
  features: ['Search'],
}

const problems = (change: object) =>
  FilledCampaign.safeParse({ ...values, ...change }).error?.issues.map(({ path, message }) => [path.join('.'), message])

const inDollars = 'Enter an amount in dollars, such as 10.00'
test.each([
  [undefined, inDollars],
  [Number.NaN, inDollars],
  ['10', inDollars],
  [99, 'Payment per tester must be at least $1.00'],
  [1_000_001, 'Payment per tester may be at most $10,000.00'],
])('a pay of %o is refused in dollars', (payPerTesterCents, message) => {
  expect(problems({ payPerTesterCents })).toEqual([['payPerTesterCents', message]])
})

test.each([100, 1_000_000])('a pay of %i cents is possible', payPerTesterCents => {
  expect(problems({ payPerTesterCents })).toBeUndefined()
})

test.each([
  ['a group without a link', { accessMode: 'GOOGLE_GROUP' }, ['groupLink']],
  ['a tester list for iOS', { accessMode: 'EMAIL_LIST', platform: 'ios' }, ['accessMode']],
  ['both', { accessMode: 'GOOGLE_GROUP', platform: 'ios' }, ['groupLink', 'accessMode']],
])('a way in that does not fit is reported at its field: %s', (_, change, fields) => {
  expect(problems(change)?.map(([field]) => field)).toEqual(fields)
})

test.each([
  ['nothing', {}, {}],
  ['a space around the title', { title: ' Notes ' }, {}],
  ['the title', { title: 'Memos' }, { title: 'Memos' }],
  ['a filter', { filters: { ...values.filters, minAndroidVersion: '13' } }, { filters: { minAndroidVersion: '13' } }],
  [
    'the order of what to try, and the check-ins',
    { features: ['Sync', 'Search'], dailyCheckIn: false },
    { features: ['Sync', 'Search'], dailyCheckIn: false },
  ],
])('an edit sends what was changed and nothing else, so that others’ edits stay: %s', (_, change, sent) => {
  expect(changeOf(values, FilledCampaign.parse({ ...values, ...change }))).toEqual(sent)
})

test('everything is sent when what the form was opened with could not be valid', () => {
  const filled = FilledCampaign.parse(values)
  expect(changeOf({ ...values, distributionLink: '' }, filled)).toEqual(filled)
})
