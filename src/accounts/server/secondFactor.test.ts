/** Signing in with an authenticator app or recovery codes, and setting them up (product.md §5). */
import type { ErrorBody } from '../../kit/errors.ts'
import { describe, expect, test } from 'vitest'
import { password, type Person } from '../../testing/app.ts'
import { inParallel, tally } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'
import { holdsWhileWaiting } from '../../testing/races.ts'
import { addPasskey, addTotp, codeOf, firstStep, secondStep } from '../../testing/secondFactor.ts'
import type { SecondFactors } from '../secondFactorContract.ts'
import { factorLimits } from '../secondFactorRules.ts'

const t = testApp()

const login = (person: Person, secret = password) =>
  t.call('POST', '/auth/login', { body: { email: person.user.email, password: secret } })
const minutes = (count: number) => t.advance(count / 60)
const subjectsOf = async ({ user }: Person) =>
  (
    await t.look<{ subject: string }>('select subject from notifications where user_id = $1 order by id', [user.id])
  ).map(({ subject }) => subject)
const standing = async (person: Person) => (await person.call<SecondFactors>('GET', '/users/me/second-factor')).body

const beginApp = async (person: Person) =>
  (await person.call<{ secret: string }>('POST', '/users/me/second-factor/totp', { currentPassword: password })).body
const confirmApp = (person: Person, code: string) =>
  person.call('POST', '/users/me/second-factor/totp/confirm', { code })

describe('signing in', () => {
  test('takes one step without a second factor', async () => {
    const person = await t.signUp('TESTER')
    expect((await login(person)).status).toBe(200)
    expect(await standing(person)).toEqual({
      inForce: false,
      required: false,
      passkeys: [],
      totp: null,
      recoveryCodesLeft: 0,
    })
  })

  test('with a factor, the password gets a challenge and no session, and the code then gets the usual reply', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const sessions = () => t.look('select id from sessions where user_id = $1', [person.user.id])
    const before = await sessions()
    const asked = await login(person)
    expect(asked).toMatchObject({ status: 401, body: { code: 'SECOND_FACTOR_REQUIRED', passkeyRequest: null } })
    expect(asked.body.factors).toEqual(['TOTP', 'RECOVERY_CODE'])
    expect(asked.body).not.toHaveProperty('accessToken')
    expect(await sessions()).toEqual(before)
    const reply = await secondStep(t, { challenge: asked.body.challenge, code: codeOf(secret) })
    expect(reply.status).toBe(200)
    expect(reply.body.user).toEqual((await person.call('GET', '/users/me')).body)
    expect((await t.call('GET', '/users/me', { token: reply.body.accessToken })).status).toBe(200)
  })

  test('a wrong password gets the usual error, which does not tell who has a second factor', async () => {
    const person = await t.signUp('TESTER')
    await addTotp(person)
    expect(await login(person, 'not the right one')).toMatchObject({
      status: 401,
      body: { code: 'WRONG_CREDENTIALS', message: 'Email or password is incorrect.' },
    })
  })

  test('a code may contain spaces, and may be one step early or late, but not two', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const { challenge } = await firstStep(t, person.user.email)
    expect((await secondStep(t, { challenge, code: codeOf(secret, 2) })).status).toBe(401)
    const code = codeOf(secret, 1)
    expect((await secondStep(t, { challenge, code: ` ${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(200)
  })
})

describe('a challenge', () => {
  test('works once', async () => {
    const person = await t.signUp('TESTER')
    const { secret, recoveryCodes } = await addTotp(person)
    const { challenge } = await firstStep(t, person.user.email)
    expect((await secondStep(t, { challenge, code: codeOf(secret) })).status).toBe(200)
    expect(await secondStep(t, { challenge, code: recoveryCodes[0]! })).toMatchObject({
      status: 401,
      body: { code: 'SECOND_FACTOR_EXPIRED' },
    })
  })

  test('explains a wrong recovery code, and for a wrong code of the app suggests checking the time', async () => {
    const person = await t.signUp('TESTER')
    await addTotp(person)
    const { challenge } = await firstStep(t, person.user.email)
    const said = async (code: string) => ((await secondStep(t, { challenge, code })).body as ErrorBody).message
    expect(await said('k7f2m-9q4xz')).toContain('not one of your recovery codes')
    expect(await said('k7f2m-9q4')).toContain('not one of your recovery codes')
    expect(await said('000 000')).toContain('Check that your phone’s clock is right')
    // A digit is missing.
    expect(await said('12 345')).toContain('Check that your phone’s clock is right')
  })

  test('expires after five minutes', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const { challenge } = await firstStep(t, person.user.email)
    await minutes(4.5)
    const later = await firstStep(t, person.user.email)
    await minutes(0.6)
    expect(await secondStep(t, { challenge, code: codeOf(secret) })).toMatchObject({
      status: 401,
      body: { code: 'SECOND_FACTOR_EXPIRED' },
    })
    expect((await secondStep(t, { challenge: later.challenge, code: codeOf(secret) })).status).toBe(200)
  })

  test('is void after five wrong codes, and the user is notified once', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const { challenge } = await firstStep(t, person.user.email)
    for (let wrong = 0; wrong < factorLimits.wrongAnswers; wrong++) {
      expect(await secondStep(t, { challenge, code: '000 000' })).toMatchObject({
        status: 401,
        body: { code: 'WRONG_CREDENTIALS', fields: { code: expect.stringContaining('not correct') } },
      })
    }
    expect(await secondStep(t, { challenge, code: codeOf(secret) })).toMatchObject({
      status: 401,
      body: { code: 'SECOND_FACTOR_EXPIRED' },
    })
    expect((await subjectsOf(person)).filter(subject => subject === 'Wrong codes at sign-in')).toHaveLength(1)
  })

  test('of another user, or made up, opens nothing', async () => {
    const [person, stranger] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    const { secret } = await addTotp(person)
    await addTotp(stranger)
    const { challenge } = await firstStep(t, stranger.user.email)
    expect((await secondStep(t, { challenge, code: codeOf(secret) })).status).toBe(401)
    expect(await secondStep(t, { challenge: 'made-up', code: codeOf(secret) })).toMatchObject({
      body: { code: 'SECOND_FACTOR_EXPIRED' },
    })
  })

  test('ends when the password changes, and with a suspension', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const { challenge } = await firstStep(t, person.user.email)
    const change = { currentPassword: password, newPassword: 'battery staple' }
    expect((await person.call('POST', '/users/me/password', change)).status).toBe(204)
    expect(await secondStep(t, { challenge, code: codeOf(secret) })).toMatchObject({
      body: { code: 'SECOND_FACTOR_EXPIRED' },
    })
    const other = await t.signUp('TESTER')
    const app = await addTotp(other)
    const begun = await firstStep(t, other.user.email)
    await t.look(`update users set suspended_at = now(), suspension_reason = 'Fraud.' where id = $1`, [other.user.id])
    expect(await secondStep(t, { challenge: begun.challenge, code: codeOf(app.secret) })).toMatchObject({
      status: 403,
      body: { code: 'SUSPENDED' },
    })
  })

  test('answered by several right codes at once opens one session', async () => {
    const person = await t.signUp('TESTER')
    const { recoveryCodes } = await addTotp(person)
    const { challenge } = await firstStep(t, person.user.email)
    const replies = await Promise.all(recoveryCodes.slice(0, 4).map(code => secondStep(t, { challenge, code })))
    expect(tally(replies)).toEqual({ 200: 1, 401: 3 })
    expect((await standing(person)).recoveryCodesLeft).toBe(9)
  })
})

describe('the authenticator app', () => {
  test('no code works twice, nor after a code of a later time step', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const attempt = async (code: string) =>
      (await secondStep(t, { challenge: (await firstStep(t, person.user.email)).challenge, code })).status
    const [now, next] = [codeOf(secret), codeOf(secret, 1)]
    expect(await attempt(now)).toBe(200)
    expect(await attempt(now)).toBe(401)
    expect(await attempt(next)).toBe(200)
    expect(await attempt(now)).toBe(401)
  })

  test('of two concurrent sign-ins with the same code, one succeeds', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const asked = [await firstStep(t, person.user.email), await firstStep(t, person.user.email)]
    const code = codeOf(secret)
    const replies = await Promise.all(asked.map(({ challenge }) => secondStep(t, { challenge, code })))
    expect(tally(replies)).toEqual({ 200: 1, 401: 1 })
  })

  test('the code that confirmed it does not sign in', async () => {
    const person = await t.signUp('TESTER')
    const { confirmedWith } = await addTotp(person)
    const { challenge } = await firstStep(t, person.user.email)
    expect((await secondStep(t, { challenge, code: confirmedWith })).status).toBe(401)
  })

  test('requires the password, and is in force only after a right code', async () => {
    const person = await t.signUp('TESTER')
    const begin = (body: object) =>
      person.call<{ secret: string; uri: string }>('POST', '/users/me/second-factor/totp', body)
    for (const body of [{}, { currentPassword: 'not it' }]) {
      expect(await begin(body)).toMatchObject({
        status: 400,
        body: { fields: { currentPassword: expect.any(String) } },
      })
    }
    const { body } = await begin({ currentPassword: password })
    expect(body.uri).toContain(`secret=${body.secret}`)
    expect(body.uri).toContain(`otpauth://totp/Fieldtest:${encodeURIComponent(person.user.email)}`)
    expect((await login(person)).status).toBe(200)
    const confirm = (code: string) => person.call('POST', '/users/me/second-factor/totp/confirm', { code })
    expect(await confirm('000000')).toMatchObject({ status: 400, body: { fields: { code: expect.any(String) } } })
    // Starting again replaces the secret.
    const second = await begin({ currentPassword: password })
    expect((await confirm(codeOf(body.secret))).status).toBe(400)
    expect((await confirm(codeOf(second.body.secret))).status).toBe(200)
    expect((await confirm(codeOf(second.body.secret))).status).toBe(409)
    expect((await login(person)).status).toBe(401)
  })

  test('is no factor beside a passkey before a right code', async () => {
    const person = await t.signUp('TESTER')
    await addPasskey(person)
    const { body } = await person.call<{ secret: string }>('POST', '/users/me/second-factor/totp', {})
    expect(await standing(person)).toMatchObject({ inForce: true, totp: null })
    const { challenge, factors } = await firstStep(t, person.user.email)
    expect(factors).toEqual(['PASSKEY', 'RECOVERY_CODE'])
    expect((await secondStep(t, { challenge, code: codeOf(body.secret) })).status).toBe(401)
    expect((await person.call('DELETE', '/users/me/second-factor/totp')).status).toBe(404)
  })

  test('is deleted after five wrong codes, even at once, so a stolen session cannot guess its code', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await beginApp(person)
    const replies = await inParallel(12, () => confirmApp(person, '000000'))
    expect(tally(replies)).toEqual({ 400: 5, 409: 7 })
    expect((await confirmApp(person, codeOf(secret))).status).toBe(409)
    const again = await beginApp(person)
    for (let wrong = 0; wrong < 4; wrong++) await confirmApp(person, '000000')
    expect((await confirmApp(person, codeOf(again.secret))).status).toBe(200)
  })

  test('gets its full number of wrong codes again when it is set up again', async () => {
    const person = await t.signUp('TESTER')
    const guess = async () => {
      for (let wrong = 1; wrong < factorLimits.wrongAnswers; wrong++) await confirmApp(person, '000000')
    }
    await beginApp(person)
    await guess()
    const { secret } = await beginApp(person)
    await guess()
    expect((await confirmApp(person, codeOf(secret))).status).toBe(200)
  })

  test('waits fifteen minutes for its first code', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await beginApp(person)
    await minutes(factorLimits.newAppMinutes)
    expect((await confirmApp(person, codeOf(secret))).status).toBe(409)
  })

  test('is stored without its secret in plain text', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const [row] = await t.look<{ secret: Buffer }>('select secret from totp_secrets where user_id = $1', [
      person.user.id,
    ])
    expect(row!.secret.toString('latin1')).not.toContain(secret)
    expect(row!.secret.length).toBeGreaterThan(secret.length)
  })

  test('the first factor ends the sessions that were opened without it, except the current one', async () => {
    const here = await t.signUp('TESTER')
    const there = await t.signIn(here.user.email)
    await addTotp(here)
    const me = async (token: string) => (await t.call('GET', '/users/me', { token })).status
    expect([await me(here.accessToken), await me(there.accessToken)]).toEqual([200, 401])
  })

  test('after removing the last factor, the password alone signs in, and the codes are gone', async () => {
    const person = await t.signUp('TESTER')
    await addTotp(person)
    expect((await person.call('DELETE', '/users/me/second-factor/totp')).status).toBe(204)
    expect(await standing(person)).toMatchObject({ inForce: false, totp: null, recoveryCodesLeft: 0 })
    expect((await login(person)).status).toBe(200)
    expect((await person.call('DELETE', '/users/me/second-factor/totp')).status).toBe(404)
    expect(await subjectsOf(person)).toEqual(['Added: authenticator app', 'Removed: authenticator app'])
  })
})

describe('recovery codes', () => {
  test('are ten, each works once and in any spelling, and the user is notified of each use', async () => {
    const person = await t.signUp('TESTER')
    const { recoveryCodes } = await addTotp(person)
    expect(new Set(recoveryCodes).size).toBe(factorLimits.recoveryCodes)
    const attempt = async (code: string) =>
      (await secondStep(t, { challenge: (await firstStep(t, person.user.email)).challenge, code })).status
    const [first, second] = recoveryCodes
    expect(await attempt(` ${first!.toUpperCase().replace('-', ' ')} `)).toBe(200)
    expect(await attempt(first!)).toBe(401)
    expect(await attempt(second!.replace('-', ''))).toBe(200)
    expect((await standing(person)).recoveryCodesLeft).toBe(8)
    expect((await subjectsOf(person)).filter(subject => subject === 'A recovery code was used')).toHaveLength(2)
  })

  test('of two concurrent sign-ins with the same recovery code, one succeeds', async () => {
    const person = await t.signUp('TESTER')
    const { recoveryCodes } = await addTotp(person)
    const asked = await Promise.all(Array.from({ length: 4 }, () => firstStep(t, person.user.email)))
    const replies = await Promise.all(
      asked.map(({ challenge }) => secondStep(t, { challenge, code: recoveryCodes[0] })),
    )
    expect(tally(replies)).toEqual({ 200: 1, 401: 3 })
  })

  test('are hashed, and adding another factor generates no new ones', async () => {
    const person = await t.signUp('TESTER')
    const { recoveryCodes } = await addTotp(person)
    expect((await addPasskey(person)).recoveryCodes).toBeNull()
    const rows = await t.look<{ row: string }>('select r::text as row from recovery_codes r where user_id = $1', [
      person.user.id,
    ])
    for (const code of recoveryCodes) {
      for (const spelling of [code, code.replace('-', '')]) {
        expect(
          rows.every(({ row }) => !row.includes(spelling) && !row.includes(Buffer.from(spelling).toString('hex'))),
        ).toBe(true)
      }
    }
  })

  test('new ones replace the old ones; without a factor there are none', async () => {
    const person = await t.signUp('TESTER')
    const renew = () => person.call<{ recoveryCodes: string[] }>('POST', '/users/me/second-factor/recovery-codes')
    expect((await renew()).status).toBe(409)
    const { recoveryCodes: old } = await addTotp(person)
    const { body } = await renew()
    expect(body.recoveryCodes).toHaveLength(factorLimits.recoveryCodes)
    const { challenge } = await firstStep(t, person.user.email)
    expect((await secondStep(t, { challenge, code: old[0] })).status).toBe(401)
    expect((await secondStep(t, { challenge, code: body.recoveryCodes[0] })).status).toBe(200)
  })
})

describe('guessing', () => {
  const guess = async (person: Person, count: number) => {
    for (let done = 0; done < count;) {
      const { challenge } = await firstStep(t, person.user.email)
      for (let each = 0; each < factorLimits.wrongAnswers && done < count; each++, done++) {
        expect((await secondStep(t, { challenge, code: '000000' })).status).toBe(401)
      }
    }
  }

  test('ten wrong codes lock that account’s codes for 15 minutes, even with new challenges, and no other account’s', async () => {
    const person = await t.signUp('TESTER')
    const { secret, recoveryCodes } = await addTotp(person)
    await guess(person, factorLimits.guesses.perWindow)
    for (const code of [codeOf(secret), recoveryCodes[0]]) {
      const { challenge } = await firstStep(t, person.user.email)
      const reply = await secondStep(t, { challenge, code })
      expect(reply).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
      expect(reply.headers['retry-after']).toBe('900')
    }
    const other = await t.signUp('TESTER')
    const app = await addTotp(other)
    const asked = await firstStep(t, other.user.email)
    expect((await secondStep(t, { challenge: asked.challenge, code: codeOf(app.secret) })).status).toBe(200)
    await minutes(16)
    const { challenge } = await firstStep(t, person.user.email)
    expect((await secondStep(t, { challenge, code: codeOf(secret) })).status).toBe(200)
  })

  test('concurrent guesses do not exceed the limit', async () => {
    const person = await t.signUp('TESTER')
    await addTotp(person)
    const asked = await Promise.all(Array.from({ length: 4 }, () => firstStep(t, person.user.email)))
    const replies = await Promise.all(
      asked.flatMap(({ challenge }) => Array.from({ length: 4 }, () => secondStep(t, { challenge, code: '000000' }))),
    )
    expect(tally(replies)).toEqual({ 401: 10, 429: 6 })
  })

  test('a right code clears the wrong ones before it', async () => {
    const person = await t.signUp('TESTER')
    const { secret } = await addTotp(person)
    const signIn = async () => {
      const { challenge } = await firstStep(t, person.user.email)
      return (await secondStep(t, { challenge, code: codeOf(secret) })).status
    }
    await guess(person, factorLimits.guesses.perWindow - 1)
    expect(await signIn()).toBe(200)
    await guess(person, factorLimits.guesses.perWindow - 1)
    await minutes(1)
    expect(await signIn()).toBe(200)
  })

  test('wrong codes do not block a passkey', async () => {
    const person = await t.signUp('TESTER')
    await addTotp(person)
    const { passkey } = await addPasskey(person)
    await guess(person, factorLimits.guesses.perWindow)
    const { challenge } = await firstStep(t, person.user.email)
    expect((await secondStep(t, { challenge, assertion: passkey.assert(challenge) })).status).toBe(200)
  })
})

test.each([
  ['authenticator app', 'totp_secrets', '/users/me/second-factor/totp'],
  ['passkey', 'passkeys', '/users/me/passkeys/:id'],
] as const)(
  'removing the %s locks the user first, so of two concurrent removals one is the last',
  async (_what, table, path) => {
    const person = await t.signUp('TESTER')
    await addTotp(person)
    const { id } = await addPasskey(person)
    const order = {
      waits: { rows: `select from ${table} where user_id = $1`, values: [person.user.id] },
      holds: { rows: 'select from users where id = $1', values: [person.user.id] },
    }
    const remove = () => person.call('DELETE', path.replace(':id', id))
    expect(await holdsWhileWaiting(t, remove, order)).toBe(true)
  },
)

test('the export contains the factors without their secrets, and deleting the account deletes them', async () => {
  const person = await t.signUp('TESTER')
  const { recoveryCodes } = await addTotp(person)
  await addPasskey(person)
  await firstStep(t, person.user.email)
  const { body } = await person.call<{ secondFactors: { kind: string }[] }>('GET', '/users/me/export')
  expect(body.secondFactors.map(({ kind }) => kind)).toEqual([
    'authenticator app',
    'passkey',
    ...recoveryCodes.map(() => 'recovery code'),
  ])
  expect(JSON.stringify(body.secondFactors)).not.toMatch(/hash|secret|salt|key_/)
  expect((await person.call('DELETE', '/users/me', { password })).status).toBe(204)
  for (const table of ['totp_secrets', 'passkeys', 'recovery_codes', 'factor_challenges', 'factor_guesses']) {
    expect(await t.look(`select from ${table} where user_id = $1`, [person.user.id])).toEqual([])
  }
  expect(await t.look('select from hourly_calls where caller = $1', [person.user.id])).toEqual([])
})
