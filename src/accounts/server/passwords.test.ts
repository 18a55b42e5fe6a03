import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { setImmediate as afterThisTurn } from 'node:timers/promises'
import { hash as argon2 } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { hashPassword, passwordMatches } from './passwords.ts'

test('a hash matches its own password and no other, and no account matches none', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(await passwordMatches('correct horse', hash)).toBe(true)
  expect(await passwordMatches('correct horse ', hash)).toBe(false)
  expect(await passwordMatches('nobody’s password', undefined)).toBe(false)
})

test('a password matches whether a keyboard sends a letter as one character or as two', async () => {
  const [one, two] = ['caf\u00E9 au lait', 'cafe\u0301 au lait']
  expect(await passwordMatches(two, await hashPassword(one))).toBe(true)
  expect(await passwordMatches(one, await hashPassword(two))).toBe(true)
  expect(await passwordMatches('cafe au lait', await hashPassword(one))).toBe(false)
})

test('a password hashed before normalization was introduced still matches as it was typed', async () => {
  const typed = 'cafe\u0301 au lait'
  const asTyped = await argon2(typed, { memoryCost: 64, timeCost: 1 })
  expect(await passwordMatches(typed, asTyped)).toBe(true)
  expect(await passwordMatches('cafe\u0300 au lait', asTyped)).toBe(false)
  expect(await passwordMatches(typed, undefined)).toBe(false)
})

/** Hashes and file access share Node's four threads, so a file read after all hashes were queued there would come last. */
test('other work does not wait until a crowd’s passwords are hashed', async () => {
  const crowd = 16 + 4 * availableParallelism()
  let hashed = 0
  const hashes = Array.from({ length: crowd }, async () => {
    await hashPassword('correct horse')
    hashed++
  })
  // By now every hash that can start has started.
  await afterThisTurn()
  await stat(import.meta.filename)
  expect(hashed).toBeLessThan(crowd / 2)
  await Promise.all(hashes)
})

const busy = { code: 'UNAVAILABLE', retryAfterSeconds: 2 }
const settled = async (work: Promise<unknown>[]) => {
  const outcomes = await Promise.allSettled(work)
  return {
    done: outcomes.filter(({ status }) => status === 'fulfilled').length,
    refused: outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason as unknown] : [])),
  }
}
const atOnce = Math.max(1, availableParallelism() - 1)

test('64 sign-ins and 16 registrations wait in separate queues; beyond that, callers are told to try again', async () => {
  const hash = await hashPassword('correct horse')
  const [signIns, registrations] = await Promise.all([
    settled(Array.from({ length: 100 }, () => passwordMatches('a guess', hash))),
    settled(Array.from({ length: 40 }, () => hashPassword('a new one', 'registration'))),
  ])
  expect([signIns.done, registrations.done]).toEqual([64 + atOnce, 16 + atOnce])
  for (const reason of [...signIns.refused, ...registrations.refused]) expect(reason).toMatchObject(busy)
  expect(await passwordMatches('correct horse', hash)).toBe(true)
})

test('a sign-in does not wait for earlier registrations', async () => {
  const hash = await hashPassword('correct horse')
  let registered = 0
  const registrations = Array.from({ length: 16 }, async () => {
    await hashPassword('a new one', 'registration')
    registered++
  })
  await passwordMatches('correct horse', hash)
  expect(registered).toBeLessThanOrEqual(2 * atOnce)
  await Promise.all(registrations)
})
