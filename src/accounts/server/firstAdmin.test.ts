/** The admin given by ADMIN_EMAIL is created once, even if that admin has another address by the next start. */
import { expect, test } from 'vitest'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { ensureAdmin } from './accounts.ts'

const t = testApp()
const other = signedUp(t, 'ADMIN')

const given = (email: string) => ({ email, password: 'a good long password', tell: () => undefined })
const admins = (email: string) => t.look(`select from users where email = $1 and role = 'ADMIN'`, [email])

test('an admin who has moved to another address is not created again', async () => {
  const email = 'boss@example.test'
  expect(await ensureAdmin(given(email))).toEqual({ outcome: 'CREATED', email, password: null })
  expect(await ensureAdmin(given(email))).toEqual({ outcome: 'THERE' })
  await t.look(`update users set email = 'moved-boss@example.test' where email = $1`, [email])
  expect(await ensureAdmin(given(email))).toEqual({ outcome: 'ELSEWHERE' })
  expect(await admins(email)).toEqual([])
})

test('an admin who existed before first admins were recorded is not created again either', async () => {
  const email = 'earlier@example.test'
  await t.look(`update users set email = $1 where id = $2`, [email, other.user.id])
  expect(await ensureAdmin(given(email))).toEqual({ outcome: 'THERE' })
  await t.look(`update users set email = 'moved-earlier@example.test' where email = $1`, [email])
  expect(await ensureAdmin(given(email))).toEqual({ outcome: 'ELSEWHERE' })
  expect(await admins(email)).toEqual([])
})

test('a start distinguishes admins created by a command from the one created at a first start, whose password was shown', async () => {
  expect(await ensureAdmin({ tell: () => undefined })).toEqual({ outcome: 'MADE_BEFORE' })
})

test('an address that a user may still go back to does not prevent a start', async () => {
  const email = 'reserved@example.test'
  await t.look(
    `insert into email_links (id, token_hash, purpose, user_id, email, new_email, change_seq, created_at, expires_at)
      values (gen_random_uuid(), sha256('x'), 'UNDO_EMAIL_CHANGE', $1, $2, 'new@example.test', 1, now(), now() + interval '1 day')`,
    [other.user.id, email],
  )
  expect(await ensureAdmin(given(email))).toEqual({ outcome: 'ELSEWHERE' })
  expect(await admins(email)).toEqual([])
})

test('an address of a user who is no admin is not reported as an admin’s', async () => {
  const { user } = await t.signUp('TESTER')
  expect(await ensureAdmin(given(user.email))).toEqual({ outcome: 'ELSEWHERE' })
})

// This test comes last, because afterwards nobody can sign in as admin.
test('a reserved address prevents the start if no admin can sign in', async () => {
  await t.look(`update users set suspended_at = now(), suspension_reason = 'For a test.' where role = 'ADMIN'`)
  await expect(ensureAdmin(given('reserved@example.test'))).rejects.toMatchObject({ code: 'EMAIL_TAKEN' })
})
