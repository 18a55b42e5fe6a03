/** Reading a backup returns exactly what was written, or fails with a sentence that says why. */
import { randomBytes, randomInt } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { sealed, unsealed } from './sealing.ts'

const key = randomBytes(32)
const seal = (content: Buffer[]) => buffer(sealed(content, key, 'log/a'))
/** In pieces of any size, like those from a disk or a network. */
function* torn(content: Buffer) {
  for (let at = 0; at < content.length;) {
    const size = randomInt(1, 100_000)
    yield content.subarray(at, at + size)
    at += size
  }
}
const open = async (content: Buffer, { by = key, as = 'log/a' } = {}) => buffer(unsealed(torn(content), by, as))
const changedAt = (content: Buffer, at: number) => {
  const copy = Buffer.from(content)
  copy[at]! ^= 1
  return copy
}

test.each([0, 1, 262_143, 262_144, 262_145, 3_000_000])('%i bytes come back', async length => {
  const content = randomBytes(length)
  expect((await open(await seal([...torn(content)]))).equals(content)).toBe(true)
})

describe('encrypted content', () => {
  const content = randomBytes(700_000)

  test('is unreadable, and different each time', async () => {
    const text = Buffer.from('an address: ann@example.test. '.repeat(50))
    const [first, second] = [await seal([text]), await seal([text])]
    expect(first.includes('ann@example.test')).toBe(false)
    expect(first.equals(second)).toBe(false)
  })

  test('is refused with another key', async () => {
    await expect(open(await seal([content]), { by: randomBytes(32) })).rejects.toThrow(
      'log/a was encrypted with a key other than this BACKUP_KEY.',
    )
  })

  test('is refused under another name', async () => {
    await expect(open(await seal([content]), { as: 'log/b' })).rejects.toThrow('log/b of the backups is damaged')
  })

  test('is refused with any byte changed', async () => {
    const whole = await seal([content])
    const places = [
      0,
      3,
      12,
      27,
      28,
      262_171,
      262_172,
      whole.length - 1,
      ...Array.from({ length: 20 }, () => randomInt(28, whole.length)),
    ]
    for (const at of places) await expect(open(changedAt(whole, at))).rejects.toThrow('log/a')
  })

  test('is refused if truncated, even between two chunks', async () => {
    const whole = await seal([content])
    const chunk = 262_144 + 16
    for (const length of [0, 27, 28, 28 + chunk - 1, 28 + chunk, 28 + 2 * chunk, whole.length - 1])
      await expect(open(whole.subarray(0, length))).rejects.toThrow(
        'log/a of the backups is damaged: it was changed or cut short.',
      )
  })

  test('is refused if two of its chunks are swapped', async () => {
    const whole = await seal([content])
    const chunk = 262_144 + 16
    const parts = [whole.subarray(0, 28), whole.subarray(28 + chunk, 28 + 2 * chunk), whole.subarray(28, 28 + chunk)]
    await expect(open(Buffer.concat([...parts, whole.subarray(28 + 2 * chunk)]))).rejects.toThrow('damaged')
  })
})

test('a source that fails before its first byte is read ends nothing else, and the reader gets the error', async () => {
  const failed = Promise.withResolvers<void>()
  const next = () => {
    // By then its stream has ended with the error before anyone has read from it.
    setImmediate(failed.resolve)
    return Promise.reject(new Error('the disk is gone'))
  }
  const unread = sealed({ [Symbol.asyncIterator]: () => ({ next }) }, key, 'log/a')
  await failed.promise
  await expect(buffer(unread)).rejects.toThrow('the disk is gone')
})
