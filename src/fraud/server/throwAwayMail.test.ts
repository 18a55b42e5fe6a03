/** Throw-away mail domains (product.md §6). */
import { expect, test } from 'vitest'
import { password, type Person } from '../../testing/app.ts'
import { tokensFor } from '../../testing/emailedLinks.ts'
import { fraudScan } from '../../testing/fraudScan.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import type { FraudReport } from '../contract.ts'

const t = testApp({}, { fresh: true })
const admin = signedUp(t, 'ADMIN')

const scan = () => fraudScan(t, admin)
const reported = (found: FraudReport[]) =>
  Object.fromEntries(found.map(({ user, eventData: { severity } }) => [user.id, severity]))

const moveTo = async (person: Person, email: string) => {
  await person.call('POST', '/users/me/email', { email, currentPassword: password })
  return async () => {
    await t.advance(0)
    const [token] = await tokensFor(t, email, 'Confirm your new email address')
    expect((await t.call('POST', '/auth/verify-email', { body: { token, password } })).status).toBe(200)
  }
}

test('an account with a throw-away address is reported once, even if its domain is below a listed one', async () => {
  const tester = await t.signUp('TESTER', { email: 'quick@Mailinator.com' })
  const developer = await t.signUp('DEVELOPER', { email: 'quick@team.yopmail.com' })
  await t.signUp('TESTER', { email: 'mailinator.com@example.test' })
  await t.signUp('TESTER', { email: 'hidden@privaterelay.appleid.com' })
  await t.signUp('ADMIN', { email: 'admin@mailinator.com' })
  const found = await scan()
  expect(reported(found)).toEqual({ [tester.user.id]: 'MEDIUM', [developer.user.id]: 'LOW' })
  expect(found).toHaveLength(2)
  expect(found.find(({ user }) => user.id === developer.user.id)!.eventData).toMatchObject({
    reason: 'Disposable email address',
    evidence: [
      { label: 'Account created', user: { id: developer.user.id } },
      { label: 'Email, not confirmed', value: '…@yopmail.com' },
    ],
  })
  expect(await scan()).toHaveLength(2)
})

test('an address that an account changes to counts once it is confirmed, long after the account was created', async () => {
  const person = await t.signUp('TESTER')
  expect(await scan()).toEqual([])
  await t.advance(48)
  const confirm = await moveTo(person, 'secret.name@mailinator.com')
  expect(await scan()).toEqual([])
  await confirm()
  const [report, ...more] = await scan()
  expect([report!.user.id, more]).toEqual([person.user.id, []])
  expect(report!.eventData.evidence[1]).toMatchObject({
    label: 'Email confirmed',
    value: '…@mailinator.com',
    at: expect.any(String),
  })
  expect(JSON.stringify(await t.look('select facts, finding_key from fraud_reports'))).not.toContain('secret.name')
})
