import { expect, test } from 'vitest'
import { listedDomainOf, type MailAccount, throwAwayMail } from './throwAwayMail.ts'
import { detailsOf, evidenceOf } from './words.ts'

const listed = new Set(['gone.test', 'short.co.test'])

const account = (more: Partial<MailAccount> = {}): MailAccount => ({
  userId: 'user',
  role: 'TESTER',
  suspended: false,
  domain: 'gone.test',
  createdAt: '2026-11-01T08:00:00.000Z',
  confirmedAt: null,
  ...more,
})

test.each([
  ['gone.test', 'gone.test'],
  ['GONE.test', 'gone.test'],
  ['a.b.gone.test', 'gone.test'],
  ['short.co.test', 'short.co.test'],
  ['co.test', undefined],
  ['begone.test', undefined],
  ['gone.test.org', undefined],
  ['test', undefined],
  ['', undefined],
])('of %j the listed domain is %j', (domain, expected) => {
  expect(listedDomainOf(domain, listed)).toBe(expected)
})

test('a throw-away address is graded by whether its account is paid, and never above MEDIUM', () => {
  expect(throwAwayMail(account({ suspended: true }), listed)?.severity).toBe('MEDIUM')
  expect(throwAwayMail(account({ role: 'DEVELOPER' }), listed)?.severity).toBe('LOW')
  expect(throwAwayMail(account({ domain: 'kept.test' }), listed)).toBeUndefined()
})

test('the finding says which domain it is and whether the address was confirmed', () => {
  const finding = throwAwayMail(account({ domain: 'mine.gone.test' }), listed)!
  expect(detailsOf(finding)).toBe('The account’s email is at gone.test, on a public list of disposable email domains.')
  expect(evidenceOf(finding)).toEqual([
    { label: 'Account created', value: 'Tester', at: '2026-11-01T08:00:00.000Z', userId: 'user' },
    { label: 'Email, not confirmed', value: '…@gone.test' },
  ])
  const confirmedAt = '2026-11-02T08:00:00.000Z'
  expect(evidenceOf(throwAwayMail(account({ confirmedAt }), listed)!)[1]).toEqual({
    label: 'Email confirmed',
    value: '…@gone.test',
    at: confirmedAt,
  })
})
