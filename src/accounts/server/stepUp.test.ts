/** The step-up: which calls ask again for the second factor, whom they ask, and how long a proof counts (product.md §5). */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../kit/errors.ts'
import type { Role } from '../../kit/roles.ts'
import { signAccessToken } from '../../kit/server/session.ts'
import { liveCampaign, paidTester, password, type Person, type Reply } from '../../testing/app.ts'
import { type Fixtures, fixturesOf } from '../../testing/fixtures.ts'
import { inParallel, tally } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'
import { overtaken } from '../../testing/races.ts'
import { addPasskey, addTotp, codeOf, firstStep, secondStep } from '../../testing/secondFactor.ts'
import { everyStep, everyRow, pathOf } from '../../testing/walk.ts'
import type { User } from '../contract.ts'
import { factorLimits } from '../secondFactorRules.ts'

const t = testApp()
let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await fixturesOf(t)
})

const asking = everyStep.filter(({ endpoint }) => endpoint.stepUp)

const minutes = (count: number) => t.advance(count / 60)
const answer = (person: Person, body: object) => person.call('POST', '/auth/step-up', body)
/** A call that requires a step-up and has no lasting effect if it succeeds. */
const guarded = (person: Person) => person.call('POST', '/users/me/second-factor/recovery-codes')
const stale = async (person: Person): Promise<Reply<ErrorBody>> => {
  await minutes(factorLimits.stepUpMinutes + 1)
  const reply = await guarded(person)
  expect(reply).toMatchObject({ status: 403, body: { code: 'STEP_UP_REQUIRED' } })
  return reply
}

test('bans, settings, decisions on money, changes of factors or address, and deleting the account require a step-up', () => {
  expect(asking.map(({ name }) => name).toSorted()).toEqual([
    'accounts.changeEmail',
    'accounts.deleteMe',
    'campaigns.cancel',
    'campaigns.fund',
    'campaigns.renew',
    'disputes.decideDispute',
    'disputes.giveBackSettlement',
    'disputes.settleDispute',
    'disputes.waiveDebt',
    'escrow.cancelEscrow',
    'escrow.extendEscrow',
    'escrow.renewEscrow',
    'ledger.confirmPayout',
    'ledger.onboard',
    'ledger.refusePayout',
    'ledger.releasePayout',
    'ledger.removePayoutAccount',
    'ledger.withdraw',
    'operations.letWithdrawalsGoOn',
    'participations.decideAppeal',
    'participations.decideRejection',
    'participations.reject',
    'participations.verify',
    'participations.verifyAll',
    'people.ban',
    'people.unban',
    'secondFactor.beginPasskey',
    'secondFactor.beginTotp',
    'secondFactor.removePasskey',
    'secondFactor.removeTotp',
    'secondFactor.renewRecoveryCodes',
    'settings.changeSettings',
    'settings.confirmLimit',
    'settings.refuseLimit',
    'stuckRefunds.confirmRefund',
    'stuckRefunds.payRefund',
    'stuckRefunds.refuseRefund',
    'stuckRefunds.retryRefund',
    'stuckRefunds.settleRefund',
  ])
})

describe('a session has one open challenge', () => {
  const challengesOf = (person: Person) =>
    t.look("select from factor_challenges where user_id = $1 and purpose = 'STEP_UP' and used_at is null", [
      person.user.id,
    ])

  test('however many of its calls are refused, even at once; after the answer, the next refusal brings a new one', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const first = (await stale(person)).body.challenge!
    const refused = await inParallel(5, () => guarded(person))
    expect(refused.map(({ body }) => body.challenge)).toEqual(Array.from({ length: 5 }, () => first))
    expect(await challengesOf(person)).toHaveLength(1)
    expect((await answer(person, { challenge: first, code: codeOf(secret) })).status).toBeLessThan(300)
    expect((await stale(person)).body.challenge).not.toBe(first)
  })

  test('beside which one for a new passkey counts for nothing', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const begun = await person.call<{ challenge: string }>('POST', '/users/me/passkeys/begin', {})
    expect((await answer(person, { challenge: begun.body.challenge, code: codeOf(secret) })).status).toBe(409)
    const { challenge } = (await stale(person)).body
    await t.look(
      `update factor_challenges set expires_at = expires_at + interval '1 day', created_at = created_at + interval '1 day'
        where user_id = $1 and purpose = 'NEW_PASSKEY'`,
      [person.user.id],
    )
    expect((await guarded(person)).body.challenge).toBe(challenge)
  })

  test('even if two calls are refused at the same moment', async () => {
    const person = await t.signUp('TESTER')
    await addTotp(person)
    await minutes(factorLimits.stepUpMinutes + 1)
    const row = { rows: 'select from sessions where user_id = $1', values: [person.user.id] }
    const [one, other] = await overtaken(
      t,
      row,
      () => guarded(person),
      () => guarded(person),
    )
    expect(one.body).toMatchObject({ code: 'STEP_UP_REQUIRED', challenge: other.body.challenge })
    expect(await challengesOf(person)).toHaveLength(1)
  })

  test('but another session has its own, and one that is about to expire is replaced', async () => {
    const person = await t.signUp('TESTER')
    await addPasskey(person)
    const { challenge } = (await stale(person)).body
    await minutes(factorLimits.challengeMinutes / 2 + 1)
    expect((await guarded(person)).body.challenge).not.toBe(challenge)
    expect(await challengesOf(person)).toHaveLength(2)
  })
})

describe('walking every endpoint', () => {
  const roles = (['DEVELOPER', 'TESTER', 'ADMIN'] as const).map(role => [role] as const)

  test.each(roles)('a user without a factor is never asked: %s', async role => {
    const { user } = fixtures.people[role]
    for (const step of everyStep.filter(({ allowed }) => allowed.includes(role))) {
      const token = await signAccessToken({ id: user.id, role, sessionId: randomUUID() })
      const { body } = await t.call(step.endpoint.method, pathOf(step, randomUUID()), { token, body: step.body })
      expect(`${step.name} ${body?.code}`).not.toContain('STEP_UP')
    }
  })

  test.each(roles)(
    'a user with a factor is asked by exactly these endpoints, before anything is done: %s',
    async (role: Role) => {
      const person = await t.signUp(role)
      await addPasskey(person)
      await minutes(factorLimits.stepUpMinutes + 1)
      const token = (await person.call<{ id: string }>('GET', '/users/me')).status === 200 ? person.accessToken : ''
      const unasked = async () => {
        const { 'public.factor_challenges': _, ...rest } = await everyRow(t)
        return rest
      }
      const mine = asking.filter(({ allowed }) => allowed.includes(role))
      const before = await unasked()
      for (const step of mine) {
        const path = fixtures.ownPath(step, role)
        const { status, body } = await t.call(step.endpoint.method, path, { token, body: step.body })
        expect({ name: step.name, status, code: body.code }).toEqual({
          name: step.name,
          status: 403,
          code: 'STEP_UP_REQUIRED',
        })
        expect(body.factors).toEqual(['PASSKEY', 'RECOVERY_CODE'])
      }
      expect(await unasked()).toEqual(before)
      for (const step of everyStep.filter(each => each.allowed.includes(role) && !each.endpoint.stepUp)) {
        // Belongs to no session, because one of these calls ends its session.
        const other = await signAccessToken({ id: person.user.id, role, sessionId: randomUUID() })
        const { body } = await t.call(step.endpoint.method, pathOf(step, randomUUID()), {
          token: other,
          body: step.body,
        })
        expect(`${step.name} ${body?.code}`).not.toContain('STEP_UP')
      }
    },
  )
})

describe('a proof', () => {
  test('counts for ten minutes, whether by code, passkey, recovery code or a sign-in with the factor', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const { passkey } = await addPasskey(person)
    const proofs = {
      code: () => ({ code: codeOf(secret) }),
      passkey: (challenge: string) => ({ assertion: passkey.assert(challenge) }),
      recovery: () => ({ code: codes[0]! }),
    }
    let codes = ((await guarded(person)) as unknown as Reply<{ recoveryCodes: string[] }>).body.recoveryCodes
    for (const [kind, proof] of Object.entries(proofs)) {
      const { challenge = '' } = (await stale(person)).body
      expect({ kind, status: (await answer(person, { challenge, ...proof(challenge) })).status }).toEqual({
        kind,
        status: 204,
      })
      await minutes(factorLimits.stepUpMinutes - 1)
      const renewed = (await guarded(person)) as unknown as Reply<{ recoveryCodes: string[] }>
      expect({ kind, status: renewed.status }).toEqual({ kind, status: 200 })
      codes = renewed.body.recoveryCodes
    }
    await minutes(20)
    const { challenge } = await firstStep(t, person.user.email)
    const { body: session } = await secondStep(t, { challenge, code: codeOf(secret) })
    const path = '/users/me/second-factor/recovery-codes'
    expect((await t.call('POST', path, { token: session.accessToken })).status).toBe(200)
    await minutes(factorLimits.stepUpMinutes)
    const { body: refreshed } = await t.call<{ accessToken: string }>('POST', '/auth/refresh', {
      body: { refreshToken: session.refreshToken },
    })
    expect((await t.call('POST', path, { token: refreshed.accessToken })).status).toBe(403)
  })

  test('counts for one session only: another device is still asked, and cannot answer this one’s challenge', async () => {
    const here = await t.signUp('TESTER')
    const { secret } = await addTotp(here)
    const asked = await firstStep(t, here.user.email)
    const there = (await secondStep(t, { challenge: asked.challenge, code: codeOf(secret) })).body
    const { challenge = '' } = (await stale(here)).body
    const { body: refreshed } = await t.call<{ accessToken: string }>('POST', '/auth/refresh', {
      body: { refreshToken: there.refreshToken },
    })
    const elsewhere = await t.call('POST', '/auth/step-up', {
      token: refreshed.accessToken,
      body: { challenge, code: codeOf(secret) },
    })
    expect(elsewhere).toMatchObject({ status: 409, body: { code: 'WRONG_STATE' } })
    expect((await answer(here, { challenge, code: codeOf(secret) })).status).toBe(204)
    expect((await guarded(here)).status).toBe(200)
    const again = await t.call('POST', '/users/me/second-factor/recovery-codes', { token: refreshed.accessToken })
    expect(again.status).toBe(403)
  })

  test('does not count if the session ends while it is checked', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const { challenge = '' } = (await stale(person)).body
    const [ended, proved] = await overtaken(
      t,
      { rows: 'select from sessions where user_id = $1', values: [person.user.id] },
      () => person.call('POST', '/auth/logout'),
      () => answer(person, { challenge, code: codeOf(secret) }),
    )
    expect([ended.status, proved]).toEqual([204, expect.objectContaining({ status: 401 })])
  })

  test('is reported at its field if it is wrong; five wrong ones void the challenge, and a used one has no effect', async () => {
    const person = await t.signUp('TESTER')
    const { secret, recoveryCodes } = await addTotp(person)
    const { challenge = '' } = (await stale(person)).body
    for (let wrong = 0; wrong < factorLimits.wrongAnswers; wrong++) {
      expect(await answer(person, { challenge, code: '000000' })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { code: expect.any(String) } },
      })
    }
    expect((await answer(person, { challenge, code: codeOf(secret) })).status).toBe(409)
    const { challenge: next = '' } = (await guarded(person)).body
    const replies = await Promise.all(recoveryCodes.slice(0, 3).map(code => answer(person, { challenge: next, code })))
    expect(tally(replies)).toEqual({ 204: 1, 409: 2 })
  })

  test('for a sign-in does not count as a step-up, nor the other way round', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const { challenge = '' } = (await stale(person)).body
    expect((await secondStep(t, { challenge, code: codeOf(secret) })).status).toBe(401)
    const signIn = await firstStep(t, person.user.email)
    expect((await answer(person, { challenge: signIn.challenge, code: codeOf(secret) })).status).toBe(409)
    expect((await guarded(person)).status).toBe(403)
  })
})

test('a withdrawal is refused without a step-up, and made once after it, under the same idempotency key', async () => {
  const [developer, admin] = [await t.signUp('DEVELOPER'), await t.signUp('ADMIN')]
  const tester = await paidTester(t, developer, admin, 5000)
  const { secret } = await addTotp(tester)
  await minutes(factorLimits.stepUpMinutes + 1)
  const withdraw = () => tester.call('POST', '/testers/withdraw', { amountCents: 3000 }, 'one-withdrawal')
  const { status, body } = await withdraw()
  expect({ status, code: body.code }).toEqual({ status: 403, code: 'STEP_UP_REQUIRED' })
  expect((await answer(tester, { challenge: body.challenge, code: codeOf(secret) })).status).toBe(204)
  const replies = [await withdraw(), await withdraw()]
  expect(tally(replies)).toEqual({ 201: 2 })
  expect(await t.look('select id from withdrawals where tester_id = $1', [tester.user.id])).toHaveLength(1)
})

test('a session and the password without the factor can neither delete the account nor move its address', async () => {
  const person = await t.signUp('TESTER')
  const { secret } = await addTotp(person)
  await minutes(factorLimits.stepUpMinutes + 1)
  const move = () => person.call('POST', '/users/me/email', { email: 'thief@example.test', currentPassword: password })
  const remove = () => person.call('DELETE', '/users/me', { password })
  expect((await move()).body.code).toBe('STEP_UP_REQUIRED')
  const { body } = await remove()
  expect(body.code).toBe('STEP_UP_REQUIRED')
  expect((await person.call<User>('GET', '/users/me')).body).toMatchObject({ pendingEmail: null })
  expect((await answer(person, { challenge: body.challenge, code: codeOf(secret) })).status).toBe(204)
  expect((await remove()).status).toBe(204)
})

test('adding another factor requires the first one, not the password', async () => {
  const person = await t.signUp('TESTER')
  await addTotp(person)
  await minutes(factorLimits.stepUpMinutes + 1)
  for (const path of ['/users/me/passkeys/begin', '/users/me/second-factor/totp']) {
    expect((await person.call('POST', path, { currentPassword: password })).body.code).toBe('STEP_UP_REQUIRED')
  }
  expect((await person.call('DELETE', '/users/me/second-factor/totp')).body.code).toBe('STEP_UP_REQUIRED')
  expect((await firstStep(t, person.user.email)).factors).toContain('TOTP')
})

test('an admin with a factor can ban after the step-up', async () => {
  const [admin, developer] = [await t.signUp('ADMIN'), await t.signUp('DEVELOPER')]
  await liveCampaign(developer, admin)
  const { passkey } = await addPasskey(admin)
  await minutes(factorLimits.stepUpMinutes + 1)
  const ban = () => admin.call('POST', `/admin/users/${developer.user.id}/ban`, { reason: 'Spam.' })
  const { challenge = '' } = (await ban()).body
  expect((await developer.call('GET', '/users/me')).status).toBe(200)
  await answer(admin, { challenge, assertion: passkey.assert(challenge) })
  expect((await ban()).status).toBe(200)
})
