/** A cluster is restored from an unbroken log, or not at all. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folderOf, type Manifest, segmentName } from './bases.ts'
import { type Moment, recover, unpackMoment } from './recovering.ts'
import { openVault, type Vault } from './vault.ts'

const segmentBytes = 16_777_216
const base: Manifest = {
  series: 'a',
  startedAt: '2026-11-22T12:00:00.000Z',
  endedAt: '2026-11-22T12:00:01.000Z',
  startLsn: '0/2000028',
  major: 18,
  segmentBytes,
  role: 'fieldtest',
  database: 'fieldtest',
  embedded: true,
}
const until = '2026-11-22T14:00:00.000Z'
const newest: Moment = { base, at: null, until, next: null }
const earlier: Moment = { ...newest, at: '2026-11-22T13:00:00.000Z' }
const nameOf = (segment: number) => segmentName(1, BigInt(segment) * BigInt(segmentBytes), segmentBytes)

let folder = ''
let vault: Vault
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldtest-recovering-'))
  vault = await openVault(join(folder, 'vault'), randomBytes(32))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A tar entry: a folder, or an empty file. */
const entry = (name: string, kind: '0' | '5') => {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write('00000000000', 124)
  header.write(kind, 156)
  return header
}

/** A base backup that includes segment 2, and these segments of its log. */
const backedUp = async (...segments: number[]) => {
  const archive = [entry('pg_wal', '5'), entry(`pg_wal/${nameOf(2)}`, '0')]
  await vault.write(`${folderOf(base)}/cluster`, archive)
  for (const segment of segments) await vault.write(`log/a/${nameOf(segment)}`, [])
}
const unpacked = (moment: Moment) => unpackMoment(vault, moment, join(folder, 'cluster'))
const written = async () => (await readdir(join(folder, 'cluster/pg_wal'))).toSorted()

test('a log without a hole is restored to its end', async () => {
  await backedUp(1, 2, 3, 4)
  expect(await unpacked(newest)).toBeNull()
  expect(await written()).toEqual([2, 3, 4].map(nameOf))
})

test('a log with a hole is not restored to its end, because what follows the hole would be lost silently', async () => {
  await backedUp(3, 5, 6)
  await expect(unpacked(newest)).rejects.toThrow(`at least one file between ${nameOf(3)} and ${nameOf(5)} is missing`)
})

test('a moment before a hole can be restored; one after it is refused', async () => {
  await backedUp(3, 5)
  const hole = await unpacked(earlier)
  expect(await written()).toEqual([2, 3].map(nameOf))
  expect(await recover(earlier, hole, () => Promise.resolve('reached'))).toBe('reached')
  const short = () => Promise.reject(new Error('recovery ended before configured recovery target was reached'))
  await expect(recover(earlier, hole, short)).rejects.toThrow(`between ${nameOf(3)} and ${nameOf(5)}`)
})

test('a log that ends before the next base backup began is refused in the same way', async () => {
  const moment = { ...earlier, next: { ...base, startedAt: until, startLsn: '0/5000028' } }
  await backedUp(3, 4)
  expect(await unpacked(moment)).toMatchObject({
    message: expect.stringContaining(`between ${nameOf(4)} and the next base backup`) as string,
  })
})
