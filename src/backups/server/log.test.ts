/** Writing and reading the log: pieces, which a whole segment replaces. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { logWriter, readSegment, segmentsOf } from './log.ts'
import { openVault, type Vault } from './vault.ts'

const segmentBytes = 64
const [first, second] = ['000000010000000000000001', '000000010000000000000002']
let folder = ''
let vault: Vault
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldtest-log-'))
  vault = await openVault(folder, randomBytes(32))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const fail = (error: unknown) => {
  throw error
}
const writerOn = (place: Vault, onError: (error: unknown) => void = fail) =>
  logWriter(place, 'a', { timeline: 1, segmentBytes, from: 64n }, onError)
const half = (at: bigint) => ({ at, bytes: Buffer.alloc(32, Number(at)) })
const names = async () => (await vault.list('log')).map(({ name }) => name.slice('log/a/'.length))

test('the log continues while pieces that a complete segment has replaced are removed', async () => {
  const removed = Promise.withResolvers<void>()
  const slow = { ...vault, remove: (name: string) => removed.promise.then(() => vault.remove(name)) }
  const writer = await writerOn(slow)
  for (const at of [64n, 96n, 128n]) {
    await writer.add(half(at))
    expect(await writer.flush()).toBe(at + 32n)
  }
  expect(await names()).toEqual([first, `${first}.00000000`, `${second}.00000000`])
  removed.resolve()
  await writer.end()
  expect(await names()).toEqual([first, `${second}.00000000`])
})

test('a failed removal is reported without ending the log, and the next writer makes up for it', async () => {
  const told: unknown[] = []
  const failing = { ...vault, remove: () => Promise.reject(new Error('no answer')) }
  const writer = await writerOn(failing, error => told.push(error))
  await writer.add(half(64n))
  await writer.flush()
  await writer.add(half(96n))
  await writer.end()
  expect(told).toEqual([new Error('no answer')])
  expect(await names()).toEqual([first, `${first}.00000000`])
  await (await writerOn(vault)).end()
  expect(await names()).toEqual([first])
})

test('a segment that a server completes while it is being read is read completely', async () => {
  const writer = await writerOn(vault)
  await writer.add(half(64n))
  await writer.flush()
  const pieces = (await segmentsOf(vault, 'a')).get(first) ?? []
  expect(pieces).toHaveLength(1)
  await writer.add(half(96n))
  await writer.end()
  const whole = Buffer.concat([half(64n).bytes, half(96n).bytes])
  expect(await readSegment(vault, 'a', first, pieces, segmentBytes)).toEqual(whole)
  await vault.remove(`log/a/${first}`)
  await expect(readSegment(vault, 'a', first, pieces, segmentBytes)).rejects.toThrow('cannot be read')
})

test('a segment with a part missing is refused, not filled up with zeros', async () => {
  const writer = await writerOn(vault)
  for (const at of [64n, 80n, 96n]) {
    await writer.add({ at, bytes: Buffer.alloc(16, 1) })
    await writer.flush()
  }
  const pieces = (await segmentsOf(vault, 'a')).get(first) ?? []
  expect((await readSegment(vault, 'a', first, pieces, segmentBytes)).subarray(0, 48)).toEqual(Buffer.alloc(48, 1))
  await vault.remove(pieces[1]!)
  const left = (await segmentsOf(vault, 'a')).get(first) ?? []
  await expect(readSegment(vault, 'a', first, left, segmentBytes)).rejects.toThrow(`A part of ${first} is missing`)
})
