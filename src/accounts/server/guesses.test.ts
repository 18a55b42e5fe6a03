/** Guesses at one's own password are limited like those at sign-in, and changes during a sign-in take effect. */
import type pg from 'pg'
import { expect, test } from 'vitest'
import { password, type Person, type Reply } from '../../testing/app.ts'
import { connectBeside, tally } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'
import type { ErrorBody } from '../../kit/errors.ts'
import { transact } from '../../kit/server/db.ts'
import type { Session } from '../contract.ts'
import { loginLimits } from '../rules.ts'
import { checked, clearGuesses, reserveOwn } from './passwordGuesses.ts'
import { until } from '../../testing/until.ts'

const t = testApp({ RATE_LIMIT: 'on' })

const changePassword = (person: Person, currentPassword: string) =>
  person.call('POST', '/users/me/password', { currentPassword, newPassword: 'another horse' })

test('a stolen token does not allow guessing the password: after 10 wrong ones even the right one is refused for a while', async () => {
  const person = await t.signUp('TESTER')
  for (let guess = 0; guess < loginLimits.perAccount; guess++)
    expect((await changePassword(person, `guess ${guess}`)).status).toBe(400)
  expect(await changePassword(person, password)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
  expect(await person.call('DELETE', '/users/me', { password })).toMatchObject({ status: 429 })
  await t.advance((loginLimits.windowMinutes + 1) / 60)
  expect((await changePassword(person, password)).status).toBe(204)
  // The right one does not count as a guess, nor do the wrong ones before it, nor one that could not be checked.
  const counted = 'select from login_failures where email = $1 and not cleared'
  expect(await t.look(counted, [person.user.email])).toEqual([])
  const unchecked = await reserveOwn(person.user)
  await expect(checked(unchecked, () => Promise.reject(new Error('The queue is full')))).rejects.toThrow('full')
  expect(await t.look(counted, [person.user.email])).toEqual([])
})

test('the typos of ten people behind one address do not lock another person’s password change', async () => {
  const [me, ...crowd] = await Promise.all(Array.from({ length: 11 }, () => t.signUp('TESTER')))
  for (let guess = 0; guess < loginLimits.perAccount; guess++)
    await Promise.all(crowd.map(each => changePassword(each, 'a typo')))
  expect((await changePassword(crowd[0]!, password)).status).toBe(429)
  expect((await changePassword(me!, password)).status).toBe(204)
})

test('guesses at one’s own password do not lock the sign-in, nor strangers’ guesses at the sign-in the password change', async () => {
  const [careless, besieged] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  const stranger = { deviceFingerprint: 'a stranger’s' }
  for (let guess = 0; guess < loginLimits.perAccount; guess++) {
    await changePassword(careless, 'a typo')
    await t.app.inject({
      method: 'POST',
      url: '/api/v1/auth/login',
      remoteAddress: '192.0.2.9',
      payload: { email: besieged.user.email, password: 'a guess', ...stranger },
    })
  }
  expect((await changePassword(careless, password)).status).toBe(429)
  expect((await t.signIn(careless.user.email)).user.id).toBe(careless.user.id)
  expect((await changePassword(besieged, password)).status).toBe(204)
})

test('a password reset clears every budget of the account, also of before it moved to its address, and no other account’s', async () => {
  const [person, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  const fromNowhere = async ({ user }: Person) => {
    const body = { email: user.email, password }
    const request = { method: 'POST', url: '/api/v1/auth/login', remoteAddress: '192.0.2.10' } as const
    const wrong = { ...request, payload: { ...body, password: 'a guess' } }
    for (let guess = 0; guess < loginLimits.perAccount; guess++) await t.app.inject(wrong)
    return () => t.app.inject({ ...request, payload: body }).then(reply => reply.statusCode)
  }
  const [mine, theirs] = [await fromNowhere(person), await fromNowhere(other)]
  for (let guess = 0; guess < loginLimits.perAccount; guess++) await changePassword(person, 'a typo')
  // As if the account had moved to its address since.
  await t.look(`update login_failures set email = 'former@example.test' where budget = $1`, [`OWN ${person.user.id}`])
  await transact(tx => clearGuesses(tx, person.user))
  expect([await mine(), await theirs()]).toEqual([200, 429])
  expect((await changePassword(person, password)).status).toBe(204)
})

/** Runs `change` while requests whose password was already found right wait for the user's row. */
const answersWhile = async <T>(
  person: Person,
  send: () => Promise<Reply<T>>[],
  change: (client: pg.Client) => Promise<unknown>,
) => {
  const client = await connectBeside(t)
  try {
    await client.query('begin')
    await client.query('select from users where id = $1 for update', [person.user.id])
    const answers = send()
    await until(async () => {
      // Otherwise the transaction would not see connections that were opened later.
      await client.query('select pg_stat_clear_snapshot()')
      const { rowCount } = await client.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and cardinality(pg_blocking_pids(pid)) > 0`,
      )
      return rowCount === answers.length
    })
    await change(client)
    await client.query('commit')
    return await Promise.all(answers)
  } finally {
    await client.end()
  }
}

const signInWhile = async (person: Person, change: (client: pg.Client) => Promise<unknown>) => {
  const body = { email: person.user.email, password }
  const [answer] = await answersWhile(person, () => [t.call<Session>('POST', '/auth/login', { body })], change)
  return answer
}

test('a sign-in opens no session if the password changes meanwhile', async () => {
  const person = await t.signUp('TESTER')
  const reply = await signInWhile(person, client =>
    client.query(`update users set password_hash = 'changed' where id = $1`, [person.user.id]),
  )
  expect(reply).toMatchObject({ status: 401, body: { code: 'WRONG_CREDENTIALS' } })
})

test('a sign-in opens no session if the account is suspended meanwhile', async () => {
  const person = await t.signUp('TESTER')
  const reply = await signInWhile(person, client =>
    client.query(`update users set suspended_at = now(), suspension_reason = 'Fraud.' where id = $1`, [person.user.id]),
  )
  expect(reply).toMatchObject({ status: 403, body: { code: 'SUSPENDED' } })
})

test('of two concurrent password changes with the same old password, one succeeds', async () => {
  const person = await t.signUp('TESTER')
  const changeTo = (newPassword: string) =>
    person.call('POST', '/users/me/password', { currentPassword: password, newPassword })
  const both = await answersWhile(
    person,
    () => [changeTo('the first one'), changeTo('the second one')],
    async () => undefined,
  )
  expect(tally(both)).toEqual({ 204: 1, 400: 1 })
  expect(both.find(({ status }) => status === 400)?.body.fields).toEqual({
    currentPassword: 'The current password is not correct.',
  })
  const winner = both[0]?.status === 204 ? 'the first one' : 'the second one'
  expect((await t.signIn(person.user.email, winner)).user.id).toBe(person.user.id)
})

test.each([
  ['the address', 'POST', '/users/me/email', { email: 'thief@example.test' }],
  ['the payment method', 'PATCH', '/users/me', { paymentMethod: 'thief@example.test' }],
  ['who is signed in', 'DELETE', '/users/me/other-sessions', {}],
] as const)(
  '%s is not changed with a password that was changed a moment before',
  async (_what, method, path, change) => {
    const person = await t.signUp('TESTER')
    await t.signIn(person.user.email)
    const state = () =>
      t.look(
        `select payment_method, (select count(*)::int from email_links where user_id = u.id and purpose = 'CHANGE_EMAIL') as moves,
        (select count(*)::int from sessions where user_id = u.id and ended_at is null) as sessions from users u where id = $1`,
        [person.user.id],
      )
    const before = await state()
    const [answer] = await answersWhile(
      person,
      () => [person.call<ErrorBody>(method, path, { ...change, currentPassword: password })],
      client => client.query(`update users set password_hash = 'changed' where id = $1`, [person.user.id]),
    )
    const fields = { currentPassword: 'The current password is not correct.' }
    expect(answer).toMatchObject({ status: 400, body: { fields } })
    expect(await state()).toEqual(before)
  },
)

test('an account is not deleted with a password that was changed a moment before', async () => {
  const person = await t.signUp('TESTER')
  const [answer] = await answersWhile(
    person,
    () => [person.call('DELETE', '/users/me', { password })],
    client => client.query(`update users set password_hash = 'changed' where id = $1`, [person.user.id]),
  )
  expect(answer).toMatchObject({ status: 400, body: { fields: { password: 'The current password is not correct.' } } })
  expect(await t.look('select deleted_at from users where id = $1', [person.user.id])).toEqual([{ deleted_at: null }])
})

test('the access token of an ended session is refused until it expires, even after other sessions have ended', async () => {
  const [first, second] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  await first.call('POST', '/auth/logout')
  await t.advance(14 / 60)
  const later = await t.signIn(second.user.email)
  await later.call('POST', '/auth/logout')
  expect((await t.call('GET', '/users/me', { token: first.accessToken })).status).toBe(401)
  expect((await t.call('GET', '/users/me', { token: later.accessToken })).status).toBe(401)
})
