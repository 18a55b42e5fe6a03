import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { setImmediate as afterThisTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { hashPassword, passwordMatches } from './passwords.ts'

test('a hash matches its own password and no other, and no account matches none', async () => {
  const hash = await hashPassword('correct horse')
  expect(hash).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(await passwordMatches('correct horse', hash)).toBe(true)
  expect(await passwordMatches('correct horse ', hash)).toBe(false)
  expect(await passwordMatches('nobody’s password', undefined)).toBe(false)
})

/** Node has four threads for hashes and files: what is asked of them after all of the hashes would come after them. */
test('other work does not wait until a crowd’s passwords are hashed', async () => {
  const crowd = 16 + 4 * availableParallelism()
  let hashed = 0
  const hashes = Array.from({ length: crowd }, async () => {
    await hashPassword('correct horse')
    hashed++
  })
  // By then all that may begin has begun.
  await afterThisTurn()
  await stat(import.meta.filename)
  expect(hashed).toBeLessThan(crowd / 2)
  await Promise.all(hashes)
})
