import { describe, expect, test } from 'vitest'
import { sameFile, sameLook, sameProof } from './copies.ts'
import { assertOpen, type DeviceAccount, earlyWithdrawal, selfTest, sharedDevice, sharedPlayAddress } from './rules.ts'
import { samplesOn } from './samples.ts'
import { detailsOf, evidenceOf } from './words.ts'

const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T08:00:00.000Z`

const account = (number: number, more: Partial<DeviceAccount> = {}): DeviceAccount => ({
  deviceHash: '3f9a41c2aa77',
  accounts: 2,
  userId: `user-${number}`,
  role: 'TESTER',
  suspended: false,
  firstAt: at(number),
  ...more,
})

const gradeOf = (...people: DeviceAccount[]) =>
  sharedDevice(people.map(person => ({ ...person, accounts: people.length }))).severity

describe('a shared device', () => {
  test('is graded by how many accounts and by who they are', () => {
    expect(gradeOf(account(1), account(2, { role: 'DEVELOPER' }))).toBe('LOW')
    expect(gradeOf(account(1), account(2))).toBe('MEDIUM')
    expect(gradeOf(account(1), account(2, { suspended: true }))).toBe('HIGH')
    expect(gradeOf(account(1), account(2), account(3))).toBe('HIGH')
    expect(gradeOf(account(1), account(2, { suspended: true }), account(3))).toBe('CRITICAL')
    expect(gradeOf(account(1), account(2), account(3), account(4))).toBe('HIGH')
    expect(gradeOf(account(1), account(2), account(3), account(4), account(5))).toBe('CRITICAL')
  })

  test('shows the first and the newest of many accounts, and counts them all', () => {
    const people = Array.from({ length: 20 }, (_, index) => account(index + 1, { accounts: 40 }))
    const finding = sharedDevice(people)
    expect(detailsOf(finding)).toBe('40 accounts signed in or joined campaigns from the same device.')
    const evidence = evidenceOf(finding)
    expect(evidence.map(fact => fact.userId).filter(Boolean)).toEqual([
      'user-1',
      ...people.slice(-11).map(person => person.userId),
    ])
    expect(evidence[2]).toEqual({ label: 'In between', value: '28 more accounts' })
    expect(evidence[0]).toEqual({ label: 'Device', value: '3f9a41c2…' })
    expect([finding.parts.length, finding.userId]).toEqual([20, 'user-20'])
  })
})

test('a shared Play address is graded by how many gave it, and by whether one of them is suspended', () => {
  const gradeOfAddress = (count: number, suspended = false) =>
    sharedPlayAddress(
      Array.from({ length: count }, (_, index) => ({
        address: 'one',
        accounts: count,
        userId: `user-${index + 1}`,
        suspended: suspended && index === 0,
        firstAt: at(index + 1),
      })),
    ).severity
  expect([2, 3, 4, 5].map(count => gradeOfAddress(count))).toEqual(['MEDIUM', 'HIGH', 'HIGH', 'CRITICAL'])
  expect([gradeOfAddress(2, true), gradeOfAddress(5, true)]).toEqual(['HIGH', 'CRITICAL'])
})

const proof = (number: number, testerId: string) => ({
  proofKey: 'key',
  proofs: 3,
  testers: 2,
  campaigns: 1,
  participationId: `participation-${number}`,
  testerId,
  campaignId: 'campaign',
  campaignTitle: 'Notes',
  submittedAt: at(number),
  text: ' I  tested it on each of the days, and all of it went very well for me. ',
  later: testerId !== 'author',
  gone: false,
})

test('the first author of equal proofs is never reported, even if the newest is theirs too', () => {
  const finding = sameProof([proof(1, 'author'), proof(2, 'copier'), proof(3, 'author')])!
  expect(finding).toMatchObject({
    userId: 'copier',
    severity: 'HIGH',
    parts: ['participation-1', 'participation-2', 'participation-3'],
  })
  expect(evidenceOf(finding)[0]!.value).toBe('I tested it on each of the days, and all of it went very well for me.')
})

test('an early withdrawal is graded by the account’s age and by how soon it came', () => {
  const grade = (accountDay: number, creditAt: string, withdrawalAt: string) =>
    earlyWithdrawal([
      {
        testerId: 'tester',
        accountAt: at(accountDay),
        creditAt,
        creditCents: 1500,
        campaignId: null,
        withdrawalId: 'withdrawal',
        withdrawalAt,
        withdrawalCents: 1000,
      },
    ]).severity
  expect(grade(18, at(20), at(21))).toBe('HIGH')
  expect(grade(1, at(20), '2026-11-20T08:30:00.000Z')).toBe('MEDIUM')
  expect(grade(1, at(20), '2026-11-20T11:00:00.000Z')).toBe('LOW')
  // A week-old account is no longer new.
  expect(grade(13, at(19), at(20))).toBe('LOW')
  expect(grade(13, at(19), '2026-11-20T07:59:00.000Z')).toBe('HIGH')
  // An hour later is not immediately.
  expect(grade(1, at(20), '2026-11-20T09:00:00.000Z')).toBe('LOW')
})

test('a decided report names its status and the refused change', () => {
  expect(() => assertOpen('OPEN', 'RESOLVED')).not.toThrow()
  expect(() => assertOpen('RESOLVED', 'DISMISSED')).toThrow(
    'This report is already resolved, so it cannot be dismissed.',
  )
})

test('samples use existing users, even if there is only one', () => {
  for (const count of [1, 2, 5]) {
    const people = Array.from({ length: count }, (_, index) => ({ userId: `user-${index}` }))
    const named = samplesOn(people, at(20)).flatMap(sample => [
      sample.userId,
      ...evidenceOf(sample).map(fact => fact.userId),
    ])
    expect(new Set(named.filter(Boolean))).toEqual(new Set(people.map(person => person.userId)))
  }
})

const file = (number: number, testerId: string, testers = 2) => ({
  key: 'aa',
  files: 3,
  testers,
  campaigns: 1,
  attachmentId: `file-${number}`,
  testerId,
  campaignId: 'campaign',
  campaignTitle: 'Notes',
  attachedAt: at(number),
  gone: false,
})

test('whoever had a file first is never reported, and the same file weighs more than the same look', () => {
  const grades = [sameLook, sameFile].flatMap(rule =>
    [3, 4].map(testers => {
      const finding = rule([file(1, 'first', testers), file(2, 'copier', testers), file(3, 'first', testers)])!
      expect([finding.userId, finding.parts]).toEqual(['copier', ['file-1', 'file-2', 'file-3']])
      return finding.severity
    }),
  )
  expect(grades).toEqual(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])
})

test('the last copier who still has an account is reported, and nobody if all are gone', () => {
  const copies = (gone: string[]) =>
    ['author', 'one', 'two'].map((id, place) => [id, place + 1, gone.includes(id)] as const)
  const reported = (...gone: string[]) => [
    sameProof(copies(gone).map(([id, place, isGone]) => ({ ...proof(place, id), gone: isGone })))?.userId,
    sameFile(copies(gone).map(([id, place, isGone]) => ({ ...file(place, id), gone: isGone })))?.userId,
  ]
  expect(reported()).toEqual(['two', 'two'])
  expect(reported('two', 'author')).toEqual(['one', 'one'])
  expect(reported('one', 'two')).toEqual([undefined, undefined])
})

const alike = (testers: number, length: number) =>
  sameProof([proof(1, 'author'), proof(2, 'copier')].map(row => ({ ...row, testers, text: 'x'.repeat(length) })))!

test('equal proofs are graded by their length and by how many testers wrote them', () => {
  const grades = [
    [3, 59],
    [4, 59],
    [3, 60],
    [4, 60],
  ].map(([testers, length]) => alike(testers!, length!).severity)
  expect(grades).toEqual(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'])
})

test('spaces around a proof do not make it long', () => {
  const finding = sameProof(
    [proof(1, 'author'), { ...proof(2, 'copier') }].map(row => ({ ...row, text: ` ${'x'.repeat(59)} ` })),
  )!
  expect(finding.severity).toBe('LOW')
})

const ownDevice = {
  participationId: 'participation',
  campaignId: 'campaign',
  campaignTitle: 'Notes',
  developerId: 'developer',
  testerId: 'tester',
  joinedAt: at(3),
  paid: false,
  deviceHash: '3f9a41c2aa77',
  developerAt: at(1),
  testerAt: at(2),
}

test('a test on the developer’s own device is critical once it was paid', () => {
  expect(selfTest([ownDevice]).severity).toBe('HIGH')
  const paid = selfTest([{ ...ownDevice, paid: true }])
  expect([paid.severity, paid.userId, paid.key, paid.parts]).toEqual([
    'CRITICAL',
    'tester',
    'self-test-hash:participation',
    ['3f9a41c2aa77'],
  ])
})
