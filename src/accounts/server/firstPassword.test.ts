/** The password generated at a first start is always shown to somebody, and works. */
import { expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { ensureAdmin } from './accounts.ts'

const t = testApp({}, { fresh: true })

const admins = () => t.look(`select email from users where role = 'ADMIN' and deleted_at is null`)

test('a server that dies while showing the password leaves no admin whose password nobody knows', async () => {
  const tell = () => {
    throw new Error('The terminal is gone.')
  }
  await expect(ensureAdmin({ tell })).rejects.toThrow('The terminal is gone.')
  expect(await admins()).toEqual([])
})

test('of several servers that start at once, only the one that creates the admin shows a password, and it works', async () => {
  const told: { email: string; password: string }[] = []
  const outcomes = await Promise.all([1, 2, 3].map(() => ensureAdmin({ tell: made => void told.push(made) })))
  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['CREATED', 'THERE', 'THERE'])
  expect(await admins()).toEqual([{ email: 'admin@fieldtest.local' }])
  expect(told).toHaveLength(1)
  expect((await t.call('POST', '/auth/login', { body: told[0]! })).status).toBe(200)
})
