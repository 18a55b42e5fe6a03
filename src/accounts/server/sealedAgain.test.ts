/** With a new encryption key, the secrets of authenticator apps are re-encrypted as they are used. */
import { expect, test } from 'vitest'
import { isSealedWithOldKey, useEncryptionKeys } from '../../kit/server/encryption.ts'
import type { Person } from '../../testing/app.ts'
import { testApp } from '../../testing/prologue.ts'
import { addTotp, codeOf, firstStep, secondStep, type WithTotp } from '../../testing/secondFactor.ts'

const [first, second] = [1, 2].map(byte => Buffer.alloc(32, byte).toString('base64')) as [string, string]
const t = testApp({ ENCRYPTION_KEY: first })

const signIn = async (person: Person, { secret }: WithTotp) => {
  const { challenge } = await firstStep(t, person.user.email)
  return (await secondStep(t, { challenge, code: codeOf(secret) })).status
}
const sealedOf = async ({ user }: Person) =>
  (await t.look<{ secret: Buffer }>('select secret from totp_secrets where user_id = $1', [user.id]))[0]!.secret

test('a right code re-encrypts its own secret and no other; once all are re-encrypted, the old key is not needed', async () => {
  const [person, other] = [await t.signUp('TESTER'), await t.signUp('TESTER')]
  const [app, otherApp] = [await addTotp(person), await addTotp(other)]
  const untouched = await sealedOf(other)
  useEncryptionKeys([second, first])
  expect(isSealedWithOldKey(await sealedOf(person))).toBe(true)
  expect(await signIn(person, app)).toBe(200)
  expect(isSealedWithOldKey(await sealedOf(person))).toBe(false)
  expect(await sealedOf(other)).toEqual(untouched)
  expect(await signIn(other, otherApp)).toBe(200)
  useEncryptionKeys([second])
  await t.advance(1 / 60)
  expect([await signIn(person, app), await signIn(other, otherApp)]).toEqual([200, 200])
})
