import { expect, test } from 'vitest'
import { type Found, sharedDevice } from './rules.ts'
import { samplesOn } from './samples.ts'
import { detailsOf, evidenceOf, kindsSaying, reasonOf } from './words.ts'

const now = '2026-11-20T08:00:00.000Z'
const at = (hour: number) => `2026-11-01T${String(hour).padStart(2, '0')}:00:00.000Z`

test('samples use the words of real reports', () => {
  const people = Array.from({ length: 5 }, (_, index) => ({ userId: `user-${index}` }))
  expect(samplesOn(people, now).map(sample => [reasonOf(sample.kind), detailsOf(sample)])).toEqual([
    ['One device on several accounts', '5 accounts signed in or joined campaigns from the same device.'],
    ['Developer and tester on one device', 'A tester of “Notes for Android” and its developer used the same device.'],
    [
      'Same proof text from several testers',
      '2 testers submitted the same text in 2 campaigns. Case and spaces were ignored.',
    ],
    [
      'Withdrawal right after the first credit',
      'A withdrawal of $10.00 was requested less than an hour after the first credit of an account that was 15 days old.',
    ],
    ['One device on several accounts', '2 accounts signed in or joined campaigns from the same device.'],
  ])
})

const selfTest = (paid: boolean, title = 'Notes'): Found => ({
  kind: 'SELF_TEST',
  facts: {
    title,
    campaignId: 'campaign',
    joinedAt: at(3),
    paid,
    devices: [
      {
        device: 'desk',
        developer: { at: at(1), userId: 'owner', role: 'DEVELOPER' },
        tester: { at: at(2), userId: 'tester', role: 'TESTER', suspended: true },
      },
    ],
  },
})

test('a self-test says when it was paid, and names everybody and the campaign by id', () => {
  expect(detailsOf(selfTest(true))).toBe(
    'A tester of “Notes” and its developer used the same device. The test was paid.',
  )
  expect(evidenceOf(selfTest(true))).toEqual([
    { label: 'Joined the campaign', value: 'Notes', at: at(3), campaignId: 'campaign' },
    { label: 'Developer first seen on desk', value: 'Developer', at: at(1), userId: 'owner' },
    { label: 'Tester first seen on desk', value: 'Tester, suspended', at: at(2), userId: 'tester' },
  ])
})

test('a near copy is said to weigh less if the text is short', () => {
  const facts = { copy: '', percent: 90, proofs: 2, testers: 2, campaigns: 2, submitted: [] }
  const details = (length: number) => detailsOf({ kind: 'NEAR_PROOF', facts: { ...facts, text: 'a'.repeat(length) } })
  expect(details(59)).toMatch(/90% of their three-word sequences\. The text is short, so this weighs less\.$/)
  expect(details(60)).toMatch(/90% of their three-word sequences\.$/)
})

test('a title is not treated as a template', () => {
  expect(detailsOf(selfTest(false, '{more} {title} $&'))).toBe(
    'A tester of “{more} {title} $&” and its developer used the same device.',
  )
})

test('a single campaign is in the singular, and large numbers have separators', () => {
  const [, , sameProof] = samplesOn([{ userId: 'user' }], now)
  const facts = { ...(sameProof as Extract<Found, { kind: 'SAME_PROOF' }>).facts, campaigns: 1 }
  expect(detailsOf({ kind: 'SAME_PROOF', facts })).toContain('in 1 campaign.')
  const many = Array.from({ length: 20 }, (_, index) => ({
    deviceHash: '3f9a41c2aa77',
    accounts: 1500,
    userId: `user-${index}`,
    role: 'TESTER' as const,
    suspended: false,
    firstAt: at(index),
  }))
  expect(detailsOf(sharedDevice(many))).toContain('1,500 accounts')
  expect(evidenceOf(sharedDevice(many))[2]).toEqual({ label: 'In between', value: '1,488 more accounts' })
})

test('without a gap, no line says so', () => {
  const [, , , , two] = samplesOn([{ userId: 'user' }], now)
  expect(evidenceOf(two!).map(({ label }) => label)).toEqual([
    'Device',
    'First seen on the device',
    'First seen on the device',
  ])
})

test.each([
  ['ONE DEVICE', ['SHARED_DEVICE', 'SELF_TEST']],
  ['joined campaigns from', ['SHARED_DEVICE']],
  ['test was paid', ['SELF_TEST']],
  ['case and spaces', ['SAME_PROOF']],
  ['three-word', ['NEAR_PROOF']],
  ['weighs less', ['NEAR_PROOF']],
  ['first credit', ['EARLY_WITHDRAWAL']],
  ['disposable', ['THROW_AWAY_MAIL']],
  ['machine-like', ['EVEN_CHECK_INS']],
  ['{accounts}', []],
  ['title', []],
  ['.*', []],
  ['everyone', []],
])('%j appears in the words of %j', (text, kinds) => {
  expect(kindsSaying(text)).toEqual(kinds)
})
