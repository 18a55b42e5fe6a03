/** How many live sessions a user can have, and how long ended sessions are kept (decision 006). */
import { describe, expect, test } from 'vitest'
import type { Notification } from '../../notifications/contract.ts'
import { password, type Person } from '../../testing/app.ts'
import { connectBeside, inParallel, tally } from '../../testing/observed.ts'
import { testApp } from '../../testing/prologue.ts'
import type { PersonalData, Session } from '../contract.ts'
import { loginLimits, sessionLimits } from '../rules.ts'
import { until } from '../../testing/until.ts'

const t = testApp()
const { live: most } = sessionLimits
const knownHours = loginLimits.knownDays * 24

const login = (email: string, deviceFingerprint?: string) =>
  t.call<Session>('POST', '/auth/login', { body: { email, password, deviceFingerprint } })
const logout = (token: string) => t.call('POST', '/auth/logout', { token })
const refresh = (refreshToken: string) => t.call<Session>('POST', '/auth/refresh', { body: { refreshToken } })
const isSignedIn = async (token: string) => (await t.call('GET', '/users/me', { token })).status === 200

/** Adds sessions that are used right now. */
const add = ({ user }: Person, how: number, { lasts = '30 days', device = '' } = {}) =>
  t.look(
    `insert into sessions (id, user_id, ip, network, user_agent, device_fingerprint, created_at, last_used_at, expires_at)
      select gen_random_uuid(), $1, '', '', 'Agent', $4, now(), now(), now() + $3::interval from generate_series(1, $2::int)`,
    [user.id, how, lasts, device],
  )
const countOf = async ({ user }: Person, rows: string) =>
  Number((await t.look<{ count: string }>(`select count(*) from ${rows}`, [user.id]))[0]!.count)
const liveOf = (person: Person) =>
  countOf(person, 'sessions where user_id = $1 and ended_at is null and expires_at > now()')

/** Each device is known to the account and so has a budget of its own; guesses of one budget would wait for each other. */
const knownOn = (person: Person, how: number) =>
  inParallel(how, number => add(person, 1, { device: `phone ${number}` }))

describe('live sessions', () => {
  test('are 50 at most: the 51st sign-in immediately ends the one that has been unused for longest, and no other', async () => {
    const [first, stranger] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
    await add(stranger, most - 1)
    const second = (await login(first.user.email)).body
    await add(first, most - 2)
    await add(first, 5, { lasts: '0 days' })
    const again = (await refresh(first.refreshToken)).body
    expect(await liveOf(first)).toBe(most)
    expect([await isSignedIn(again.accessToken), await isSignedIn(second.accessToken)]).toEqual([true, true])
    const newest = (await login(first.user.email)).body
    expect([await isSignedIn(again.accessToken), await isSignedIn(newest.accessToken)]).toEqual([true, true])
    expect([await isSignedIn(second.accessToken), (await refresh(second.refreshToken)).status]).toEqual([false, 401])
    expect(await liveOf(first)).toBe(most)
    const ended = `select end_reason as reason from sessions where user_id = $1 and ended_at is not null`
    expect(await t.look(ended, [first.user.id])).toEqual([{ reason: 'TOO_MANY' }])
    expect(await liveOf(stranger)).toBe(most)
  })

  test('stay 50 when 10 devices sign in at once, and all 10 are signed in', async () => {
    const person = await t.signUp('TESTER')
    await add(person, most - 11)
    await knownOn(person, 10)
    const replies = await inParallel(10, number => login(person.user.email, `phone ${number}`))
    expect(tally(replies)).toEqual({ 200: 10 })
    expect(await liveOf(person)).toBe(most)
    const signedIn = await Promise.all(replies.map(({ body }) => isSignedIn(body.accessToken)))
    expect(signedIn).toEqual(Array.from({ length: 10 }, () => true))
  })

  test('stay 50 even if concurrent sign-ins cannot see each other’s sessions yet', async () => {
    const person = await t.signUp('TESTER')
    await add(person, most - 5)
    await knownOn(person, 4)
    const holder = await connectBeside(t)
    await holder.query('begin; lock table refresh_tokens in access exclusive mode')
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const replies = inParallel(4, number => login(person.user.email, `phone ${number}`))
    // As many as there are connections for sign-ins.
    await until(async () => (await t.look(waiting)).length >= 4)
    await holder.query('rollback')
    await holder.end()
    expect(tally(await replies)).toEqual({ 200: 4 })
    expect(await liveOf(person)).toBe(most)
  })
})

/** A user whose session on a phone has ended, and whose session on a laptop is the latest. */
const movedToLaptop = async () => {
  const person = await t.signUp('TESTER', { deviceFingerprint: 'phone' })
  await login(person.user.email, 'laptop')
  await logout(person.accessToken)
  return person
}
const devicesOf = async ({ user }: Person) =>
  (
    await t.look<{ device: string }>(
      'select device_fingerprint as device from sessions where user_id = $1 order by created_at',
      [user.id],
    )
  ).map(({ device }) => device)
/** How many notifications of an unknown device the user has after signing in on this one. */
const toldAfter = async ({ user }: Person, device: string) => {
  const { accessToken: token } = (await login(user.email, device)).body
  const { body } = await t.call<Notification[]>('GET', '/users/me/notifications', { token })
  return body.filter(({ subject }) => subject.startsWith('New sign-in')).length
}
const tokensOf = (person: Person) =>
  countOf(person, 'refresh_tokens where session_id in (select id from sessions where user_id = $1)')

describe('an ended session', () => {
  test('is kept for 90 days, while its device counts as known, and then deleted', async () => {
    const [early, late] = [await movedToLaptop(), await movedToLaptop()]
    await t.advance(knownHours - 1)
    expect(await devicesOf(late)).toEqual(['phone', 'laptop'])
    expect(await toldAfter(early, 'phone')).toBe(1)
    await t.advance(2)
    expect(await devicesOf(late)).toEqual(['laptop'])
    expect(await toldAfter(late, 'phone')).toBe(2)
  })

  const passed = async ({ user }: Person) =>
    t.look('select device_fingerprint as device from sessions where user_id = $1 and kept_as_latest', [user.id])

  test('is marked once if it is the latest, not checked every night, and is deleted after its user has signed in again', async () => {
    const person = await t.signUp('TESTER', { deviceFingerprint: 'phone' })
    await t.advance(200 * 24)
    expect(await passed(person)).toEqual([{ device: 'phone' }])
    await login(person.user.email, 'laptop')
    expect(await passed(person)).toEqual([])
    await t.advance(1)
    expect(await devicesOf(person)).toEqual(['laptop'])
  })

  test('is not mistaken for the latest while its user signs in', async () => {
    const person = await t.signUp('TESTER', { deviceFingerprint: 'phone' })
    await t.look(
      `update sessions set last_used_at = now() - interval '1 year', created_at = now() - interval '1 year',
      expires_at = now() - interval '1 year' where user_id = $1`,
      [person.user.id],
    )
    const beside = await connectBeside(t)
    await beside.query('begin')
    await beside.query(
      `insert into sessions (id, user_id, ip, user_agent, device_fingerprint, created_at, last_used_at, expires_at)
        values (gen_random_uuid(), $1, '', 'Agent', 'laptop', now(), now(), now() + interval '30 days')`,
      [person.user.id],
    )
    await t.advance(1)
    expect(await passed(person)).toEqual([])
    await beside.query('commit')
    await beside.end()
    await t.advance(1)
    expect(await devicesOf(person)).toEqual(['laptop'])
  })

  test('is kept if it is its user’s latest, so their last activity is known and no sign-in counts as their first', async () => {
    const person = await t.signUp('TESTER', { deviceFingerprint: 'phone' })
    await t.advance(400 * 24)
    expect(await devicesOf(person)).toEqual(['phone'])
    expect(await toldAfter(person, 'laptop')).toBe(1)
  })

  test('is deleted with its tokens and challenges; live sessions keep theirs', async () => {
    const person = await movedToLaptop()
    const [ended] = await t.look<{ id: string }>(
      'select id from sessions where user_id = $1 and ended_at is not null',
      [person.user.id],
    )
    await t.advance(knownHours + 1)
    const [row] = await t.look<{ id: string }>('select id from sessions where user_id = $1', [person.user.id])
    const { accessToken } = (await login(person.user.email, 'laptop')).body
    // A session that ended long ago and that housekeeping has not deleted yet.
    await t.look(`update sessions set ended_at = created_at, end_reason = 'LOGOUT' where id = $1`, [row!.id])
    await t.look(
      `insert into refresh_tokens (token_hash, session_id, created_at, expires_at)
        select sha256(id::text::bytea), id, created_at, now() + interval '900 days' from sessions where user_id = $1`,
      [person.user.id],
    )
    await t.look(
      `insert into factor_challenges (token_hash, purpose, user_id, session_id, created_at, expires_at)
        select sha256(id::text::bytea), 'STEP_UP', user_id, id, created_at, now() + interval '900 days' from sessions where user_id = $1`,
      [person.user.id],
    )
    expect([ended!.id === row!.id, await tokensOf(person)]).toEqual([false, 3])
    await t.advance(0)
    expect(await devicesOf(person)).toEqual(['laptop'])
    expect(await isSignedIn(accessToken)).toBe(true)
    expect(await tokensOf(person)).toBe(2)
    expect(await countOf(person, 'factor_challenges where user_id = $1')).toBe(1)
  })

  test('is also deleted if there is more than one batch', async () => {
    const person = await t.signUp('TESTER')
    await add(person, 2500, { lasts: '0 days', device: 'phone' })
    await t.advance(knownHours + 1)
    expect(await countOf(person, 'sessions where user_id = $1')).toBe(1)
    expect(await countOf(person, 'past_device_uses where user_id = $1')).toBe(1)
  })

  test('leaves the time when its user was first seen on the device, which the export lists and deleting the account erases', async () => {
    const person = await movedToLaptop()
    const seen = () =>
      t.look('select at, seq from device_uses where user_id = $1 and device = $2 order by seq limit 1', [
        person.user.id,
        'phone',
      ])
    const first = await seen()
    await login(person.user.email, 'phone')
    await login(person.user.email, 'laptop')
    await t.advance(knownHours + 31 * 24)
    expect(await devicesOf(person)).toEqual(['laptop'])
    expect(await seen()).toEqual(first)
    // Again, after later sessions on the same device.
    await login(person.user.email, 'phone')
    const { accessToken } = (await login(person.user.email, 'laptop')).body
    await t.advance(knownHours + 31 * 24)
    expect(await seen()).toEqual(first)
    expect(await isSignedIn(accessToken)).toBe(false)
    const { accessToken: token } = (await login(person.user.email, 'laptop')).body
    const { body } = await t.call<PersonalData>('GET', '/users/me/export', { token })
    expect(body.pastDevices.map(({ device_fingerprint: device }) => device)).toEqual(['laptop', 'phone'])
    expect(body.pastDevices[1]).toEqual({ device_fingerprint: 'phone', first_seen_at: expect.any(String) })
    // Sharing one device raised reports, which would keep the account from being deleted.
    await t.look('update fraud_reports set archived_at = now()')
    expect((await t.call('DELETE', '/users/me', { token, body: { password } })).status).toBe(204)
    expect(await t.look('select from device_uses where user_id = $1', [person.user.id])).toEqual([])
  })
})

test('a refresh token is deleted once it has expired, although its session is kept', async () => {
  const person = await t.signUp('TESTER')
  await refresh(person.refreshToken)
  await t.advance(30 * 24 - 1)
  expect(await tokensOf(person)).toBe(2)
  await t.advance(2)
  expect([await tokensOf(person), await countOf(person, 'sessions where user_id = $1')]).toEqual([0, 1])
})
