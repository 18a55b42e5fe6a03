import { expect, test, vi } from 'vitest'
import { type Campaign, NewCampaign } from '../contract.ts'
import { FilledCampaign } from './campaignSchema.ts'

// The form's buttons listen on the window.
vi.stubGlobal('addEventListener', () => undefined)
const { blankValues, quoteOf, valuesOf } = await import('./campaignValues.ts')
vi.unstubAllGlobals()

test('a new campaign lacks nothing but its texts and its link, and is otherwise what the server takes for unsaid', () => {
  const { error } = FilledCampaign.safeParse(blankValues)
  const lacking = ['title', 'description', 'distributionLink']
  expect(new Set(error?.issues.map(({ path }) => path.join('.')))).toEqual(new Set(lacking))
  const texts = { title: 'Notes', description: 'Take notes', distributionLink: 'https://example.com/notes' }
  expect(FilledCampaign.parse({ ...blankValues, ...texts })).toEqual(NewCampaign.parse(texts))
})

const same = {
  title: 'Notes',
  description: 'Take notes',
  platform: 'ios',
  testersRequired: 3,
  payPerTesterCents: 2500,
  durationDays: 7,
  dailyCheckIn: false,
  accessMode: 'GOOGLE_GROUP',
  features: ['Search'],
} as const
const inForce = {
  distributionLink: 'https://example.com/old',
  pendingLink: null,
  groupLink: 'https://groups.google.com/g/old',
  pendingGroupLink: null,
  filters: { countries: ['DE'], minAndroidVersion: '13', minIOSVersion: '17.1' },
}
const edited = (change: Partial<Campaign>) => valuesOf({ ...same, ...inForce, ...change } as unknown as Campaign)

test('a campaign is edited as it stands', () => {
  const { distributionLink, groupLink, filters } = inForce
  expect(edited({})).toEqual({ ...same, distributionLink, groupLink, filters })
})

test.each<[string, Partial<Campaign>, object]>([
  [
    'a link that waits for an admin, not the one before it',
    { pendingLink: 'https://example.com/new' },
    { distributionLink: 'https://example.com/new' },
  ],
  ['an empty link where none is known', { distributionLink: null }, { distributionLink: '' }],
  [
    'a group that waits for an admin',
    { pendingGroupLink: 'https://groups.google.com/g/new' },
    { groupLink: 'https://groups.google.com/g/new' },
  ],
  ['no group where there is none', { groupLink: null }, { groupLink: null }],
  [
    'empty versions where any will do',
    { filters: { countries: [], minAndroidVersion: null, minIOSVersion: null } },
    { filters: { countries: [], minAndroidVersion: '', minIOSVersion: '' } },
  ],
])('the fields hold %s', (_, change, held) => expect(edited(change)).toMatchObject(held))

test.each([
  [1, 100, { quotedPayCents: 100, quotedFeeCents: 15, totalCostCents: 115 }],
  [100, 1_000_000, { quotedPayCents: 100_000_000, quotedFeeCents: 15_000_000, totalCostCents: 115_000_000 }],
  [0, 1000, null],
  [101, 1000, null],
  [1.5, 1000, null],
  [10, 99, null],
  [10, 1_000_001, null],
  [10, Number.NaN, null],
  [undefined, 1000, null],
  [10, undefined, null],
])('%s testers for %s cents each have a price only if the form would take them', (testers, cents, price) => {
  expect(quoteOf({ testersRequired: testers, payPerTesterCents: cents }, 1500)).toEqual(price)
})
