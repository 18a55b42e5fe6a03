/** Guessing one's own password is limited like signing in, and what changes during a sign-in counts. */
import pg from 'pg'
import { expect, test } from 'vitest'
import { password, type Person } from '../../testing/app.ts'
import { testApp } from '../../testing/prologue.ts'
import type { Session } from '../contract.ts'
import { loginLimits } from '../rules.ts'

const t = testApp({ RATE_LIMIT: 'on' })

const changePassword = (person: Person, currentPassword: string) =>
  person.call('POST', '/users/me/password', { currentPassword, newPassword: 'another horse' })

test('a stolen token cannot guess the password: after 10 wrong ones even the right one is refused for a while', async () => {
  const person = await t.signUp('TESTER')
  for (let guess = 0; guess < loginLimits.perAccount; guess++)
    expect((await changePassword(person, `guess ${guess}`)).status).toBe(400)
  expect(await changePassword(person, password)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
  expect(await person.call('DELETE', '/users/me', { password })).toMatchObject({ status: 429 })
  await t.advance((loginLimits.windowMinutes + 1) / 60)
  expect((await changePassword(person, password)).status).toBe(204)
})

/** Runs `change` after the password was found right, while the sign-in waits for the user's row. */
const signInWhile = async (person: Person, change: (client: pg.Client) => Promise<unknown>) => {
  const client = new pg.Client({ connectionString: t.databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('select from users where id = $1 for update', [person.user.id])
    const reply = t.call<Session>('POST', '/auth/login', { body: { email: person.user.email, password } })
    for (;;) {
      const { rowCount } = await client.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and pg_backend_pid() = any(pg_blocking_pids(pid))`,
      )
      if (rowCount === 1) break
    }
    await change(client)
    await client.query('commit')
    return await reply
  } finally {
    await client.end()
  }
}

test('a password that changes during a sign-in opens no session', async () => {
  const person = await t.signUp('TESTER')
  const reply = await signInWhile(person, client =>
    client.query(`update users set password_hash = 'changed' where id = $1`, [person.user.id]),
  )
  expect(reply).toMatchObject({ status: 401, body: { code: 'WRONG_CREDENTIALS' } })
})

test('a suspension during a sign-in opens no session', async () => {
  const person = await t.signUp('TESTER')
  const reply = await signInWhile(person, client =>
    client.query(`update users set suspended_at = now(), suspension_reason = 'Fraud.' where id = $1`, [person.user.id]),
  )
  expect(reply).toMatchObject({ status: 403, body: { code: 'SUSPENDED' } })
})

test('the access token of an ended session stays refused until it expires, also after others have ended', async () => {
  const [first, second] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  await first.call('POST', '/auth/logout')
  await t.advance(14 / 60)
  const later = await t.signIn(second.user.email)
  await later.call('POST', '/auth/logout')
  expect((await t.call('GET', '/users/me', { token: first.accessToken })).status).toBe(401)
  expect((await t.call('GET', '/users/me', { token: later.accessToken })).status).toBe(401)
})
