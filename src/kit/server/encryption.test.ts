import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  isSealedWithOldKey,
  keyedHash,
  oldKeyIds,
  parseEncryptionKey,
  seal,
  unseal,
  useEncryptionKeys,
} from './encryption.ts'

const newKey = () => randomBytes(32).toString('base64')
const [first, second] = [newKey(), newKey()]

beforeEach(() => useEncryptionKeys([first]))

test('an encrypted text can be decrypted, and two encryptions of it differ', () => {
  const texts = ['JBSWY3DPEHPK3PXP', '', 'ünï → 🔑']
  for (const text of texts) {
    expect(unseal(seal(text, 'totp:ann'), 'totp:ann')).toBe(text)
    expect(seal(text, 'totp:ann')).not.toEqual(seal(text, 'totp:ann'))
  }
  expect(seal('JBSWY3DPEHPK3PXP', 'totp:ann').toString('latin1')).not.toContain('JBSWY3DPEHPK3PXP')
})

test('a value copied to another place does not open', () => {
  expect(() => unseal(seal('secret', 'totp:ann'), 'totp:bob')).toThrow()
})

test('a value with any one byte changed does not open', () => {
  const sealed = seal('secret', 'totp:ann')
  for (const index of sealed.keys()) {
    const changed = Buffer.from(sealed)
    changed[index] = changed[index]! ^ 1
    expect(() => unseal(changed, 'totp:ann'), `byte ${index}`).toThrow()
  }
  for (const length of [0, 1, 16, 32, sealed.length - 1]) {
    expect(() => unseal(sealed.subarray(0, length), 'totp:ann'), `${length} bytes`).toThrow()
  }
})

describe('a new key is put before the old one', () => {
  test('old values open, new ones are sealed with the new key', () => {
    const old = seal('secret', 'totp:ann')
    expect(isSealedWithOldKey(old)).toBe(false)
    useEncryptionKeys([second, first])
    expect(unseal(old, 'totp:ann')).toBe('secret')
    expect(isSealedWithOldKey(old)).toBe(true)
    const fresh = seal('secret', 'totp:ann')
    expect(isSealedWithOldKey(fresh)).toBe(false)
    useEncryptionKeys([second])
    expect(unseal(fresh, 'totp:ann')).toBe('secret')
    expect(() => unseal(old, 'totp:ann')).toThrow('ENCRYPTION_KEY_PREVIOUS')
  })
})

test('only 32 bytes in base64 are a key', () => {
  expect(parseEncryptionKey(first)).toHaveLength(32)
  for (const text of [
    '',
    'short',
    randomBytes(31).toString('base64'),
    randomBytes(33).toString('base64'),
    `${first} `,
  ]) {
    expect(parseEncryptionKey(text), `"${text}"`).toBeNull()
    expect(() => useEncryptionKeys([text])).toThrow('32 bytes')
  }
})

test('a keyed hash is the same for the same text and purpose, and differs with another text, purpose or key', () => {
  const hash = keyedHash('ann@gmail.com', 'play-address')
  expect(keyedHash('ann@gmail.com', 'play-address')).toEqual(hash)
  expect(keyedHash('bob@gmail.com', 'play-address')).not.toEqual(hash)
  expect(keyedHash('ann@gmail.com', 'another')).not.toEqual(hash)
  useEncryptionKeys([second, first])
  expect(keyedHash('ann@gmail.com', 'play-address')).not.toEqual(hash)
})

test('the ids of old keys are those in the values that they sealed', () => {
  const sealed = seal('secret', 'totp:ann')
  expect(oldKeyIds()).toEqual([])
  useEncryptionKeys([second, first])
  expect(oldKeyIds()).toEqual([sealed.subarray(1, 5)])
})
