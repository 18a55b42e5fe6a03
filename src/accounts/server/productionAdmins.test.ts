/** In production, an admin without a second factor can only set one up (product.md §5). */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signAccessToken } from '../../kit/server/session.ts'
import { password } from '../../testing/app.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { addPasskey, addTotp, codeOf, firstStep, secondStep } from '../../testing/secondFactor.ts'
import { everyStep, everyRow, pathOf, type Step } from '../../testing/walk.ts'
import type { SecondFactors } from '../secondFactorContract.ts'

const t = testApp({
  NODE_ENV: 'production',
  JWT_SECRET: 'the secret of a server that is in production',
  ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  RATE_LIMIT: 'on',
  FIELDTEST_TEST_CLOCK: '0',
})
const tester = signedUp(t, 'TESTER')

const closed = everyStep.filter(({ endpoint }) => endpoint.access !== 'PUBLIC')
const forAdmins = closed.filter(({ allowed }) => allowed.includes('ADMIN'))
const callAs = async (step: Step, person: { user: { id: string } }, role: 'ADMIN' | 'TESTER') => {
  // Belongs to no session, so no call can end it.
  const token = await signAccessToken({ id: person.user.id, role, sessionId: randomUUID() })
  return t.call(step.endpoint.method, pathOf(step, randomUUID()), { token, body: step.body })
}

test('the allowed calls are those needed to set one up', () => {
  const remaining = forAdmins.filter(({ endpoint }) => endpoint.beforeSecondFactor).map(({ name }) => name)
  expect(remaining.toSorted()).toEqual([
    'accounts.logout',
    'accounts.me',
    'secondFactor.addPasskey',
    'secondFactor.beginPasskey',
    'secondFactor.beginTotp',
    'secondFactor.confirmTotp',
    'secondFactor.secondFactors',
  ])
})

test('every other endpoint replies 403 SECOND_FACTOR_SETUP_REQUIRED, and nothing changes', async () => {
  const admin = await t.signUp('ADMIN')
  const before = await everyRow(t)
  let refused = 0
  for (const step of forAdmins.filter(({ endpoint }) => !endpoint.beforeSecondFactor)) {
    const { status, body } = await callAs(step, admin, 'ADMIN')
    expect({ name: step.name, status, code: body.code }).toEqual({
      name: step.name,
      status: 403,
      code: 'SECOND_FACTOR_SETUP_REQUIRED',
    })
    refused++
  }
  expect(refused).toBeGreaterThan(30)
  expect(await everyRow(t)).toEqual(before)
  for (const step of forAdmins.filter(({ endpoint }) => endpoint.beforeSecondFactor)) {
    const { body } = await callAs(step, admin, 'ADMIN')
    expect(`${step.name} ${body?.code}`).not.toContain('SETUP_REQUIRED')
  }
})

test('testers and developers are not asked for one', async () => {
  for (const step of closed.filter(({ allowed }) => allowed.includes('TESTER'))) {
    const { body } = await callAs(step, tester, 'TESTER')
    expect(`${step.name} ${body?.code}`).not.toContain('SETUP_REQUIRED')
  }
})

describe('an admin', () => {
  test('sets one up, continues in the same session, and signs in with it', async () => {
    const admin = await t.signUp('ADMIN')
    const standing = () => admin.call<SecondFactors>('GET', '/users/me/second-factor')
    expect((await standing()).body).toMatchObject({ inForce: false, required: true })
    const { secret } = await addTotp(admin)
    expect((await standing()).body).toMatchObject({ inForce: true, required: false })
    expect((await admin.call('GET', '/admin/users')).status).toBe(200)
    const { challenge } = await firstStep(t, admin.user.email)
    const { body } = await secondStep(t, { challenge, code: codeOf(secret) })
    expect((await t.call('GET', '/admin/users', { token: body.accessToken })).status).toBe(200)
  })

  test('cannot remove the last factor, but can replace it', async () => {
    const admin = await t.signUp('ADMIN')
    const { id } = await addPasskey(admin)
    expect(await admin.call('DELETE', `/users/me/passkeys/${id}`)).toMatchObject({
      status: 409,
      body: { code: 'WRONG_STATE', message: expect.stringContaining('Add another one') },
    })
    const begun = await admin.call<{ secret: string }>('POST', '/users/me/second-factor/totp', {})
    const code = codeOf(begun.body.secret)
    expect((await admin.call('POST', '/users/me/second-factor/totp/confirm', { code })).status).toBe(200)
    expect((await admin.call('DELETE', `/users/me/passkeys/${id}`)).status).toBe(204)
    expect((await admin.call('DELETE', '/users/me/second-factor/totp')).status).toBe(409)
  })

  test('is not let in with an app that was never confirmed', async () => {
    const admin = await t.signUp('ADMIN')
    await admin.call('POST', '/users/me/second-factor/totp', { currentPassword: password })
    expect((await admin.call('GET', '/admin/users')).body.code).toBe('SECOND_FACTOR_SETUP_REQUIRED')
  })
})
