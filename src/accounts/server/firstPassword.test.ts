/** The password that a first start makes up works for whoever was shown it, and nobody is left without one. */
import { expect, test } from 'vitest'
import { testApp } from '../../testing/prologue.ts'
import { ensureAdmin } from './accounts.ts'

const t = testApp({}, { fresh: true })

const admins = () => t.look(`select email from users where role = 'ADMIN' and deleted_at is null`)

test('a server that ends once it has shown the password, or fails to, leaves no admin with a password that nobody knows', async () => {
  const tell = () => {
    throw new Error('The terminal is gone.')
  }
  await expect(ensureAdmin({ tell })).rejects.toThrow('The terminal is gone.')
  expect(await admins()).toEqual([])
})

test('of servers that start at once only the one that makes the admin shows a password, and it signs in', async () => {
  const told: { email: string; password: string }[] = []
  const outcomes = await Promise.all([1, 2, 3].map(() => ensureAdmin({ tell: made => void told.push(made) })))
  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['CREATED', 'THERE', 'THERE'])
  expect(await admins()).toEqual([{ email: 'admin@fieldtest.local' }])
  expect(told).toHaveLength(1)
  expect((await t.call('POST', '/auth/login', { body: told[0]! })).status).toBe(200)
})
