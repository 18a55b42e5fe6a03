/** Old backups are deleted, and everything needed for a moment of the last days stays. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { allBases, basesIn, folderOf, type Manifest, segmentName } from './bases.ts'
import { keptOf, tidyUp } from './keeping.ts'
import { segmentsOf } from './log.ts'
import { openVault, type Vault } from './vault.ts'

const now = Date.parse('2026-11-22T12:00:00.000Z')
const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString()
const segmentBytes = 16_777_216

const baseOf = (series: string, days: number, segment: number): Manifest => ({
  series,
  startedAt: daysAgo(days),
  endedAt: daysAgo(days - 0.01),
  startLsn: `0/${(segment * segmentBytes + 40).toString(16)}`,
  major: 18,
  segmentBytes,
  role: 'fieldtest',
  database: 'fieldtest',
  embedded: true,
})

let folder = ''
let vault: Vault
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldtest-keeping-'))
  vault = await openVault(folder, randomBytes(32))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const fail = (error: Error) => {
  throw error
}
const put = async (base: Manifest) => {
  await vault.write(`${folderOf(base)}/cluster`, [])
  await vault.write(`${folderOf(base)}/manifest`, [Buffer.from(JSON.stringify(base))])
}
const putLog = (series: string, segment: number) =>
  vault.write(`log/${series}/${segmentName(1, BigInt(segment * segmentBytes), segmentBytes)}`, [])
const ages = (bases: readonly Manifest[]) => bases.map(({ startedAt }) => (now - Date.parse(startedAt)) / 86_400_000)

test('daily backups stay for the days to keep, together with the one that leads to the first of these', () => {
  const daily = Array.from({ length: 30 }, (_, place) => baseOf('a', 30 - place, place))
  expect(ages(keptOf(daily, 3, now))).toEqual([4, 3, 2, 1])
})

test('the last remaining backup stays, however old it is', () => {
  expect(ages(keptOf([baseOf('a', 400, 1)], 14, now))).toEqual([400])
})

test('log that only old backups need is removed with them, and a series without kept backups loses all of its log', async () => {
  await put(baseOf('old', 40, 2))
  for (const [days, segment] of [
    [20, 3],
    [15, 5],
    [2, 7],
  ] as const)
    await put(baseOf('now', days, segment))
  for (const segment of [2, 3]) await putLog('old', segment)
  for (const segment of [3, 4, 5, 6, 7, 8]) await putLog('now', segment)
  await tidyUp(vault, { keepDays: 14, series: 'now', nowMs: now })
  expect(ages(await allBases(vault, fail))).toEqual([15, 2])
  expect([...(await segmentsOf(vault, 'now')).keys()].map(name => Number.parseInt(name.slice(-2), 16))).toEqual([
    5, 6, 7, 8,
  ])
  expect(await vault.list('log/old')).toEqual([])
})

test('the log of a new series without a backup stays, and so does a backup that is being taken', async () => {
  await put(baseOf('old', 1, 2))
  await putLog('new', 1)
  await vault.write('bases/new/2026-11-22T11-59-00.000Z/cluster', [])
  const atMs = (await vault.list('bases/new'))[0]?.atMs ?? 0
  await tidyUp(vault, { keepDays: 14, series: 'new', nowMs: atMs + 1 })
  expect((await segmentsOf(vault, 'new')).size).toBe(1)
  expect(await vault.list('bases/new')).toHaveLength(1)
  await tidyUp(vault, { keepDays: 14, series: 'new', nowMs: atMs + 3 * 86_400_000 })
  expect(await vault.list('bases/new')).toEqual([])
})

test('an unreadable base backup does not hold up others, and stays with its log while it may be needed', async () => {
  for (const [days, segment] of [
    [30, 2],
    [20, 4],
    [3, 6],
    [1, 8],
  ] as const)
    await put(baseOf('now', days, segment))
  for (const segment of [2, 4, 6, 8]) await putLog('now', segment)
  const damage = (days: number) => vault.write(`${folderOf(baseOf('now', days, 0))}/manifest`, [Buffer.from('{')])
  for (const days of [30, 3]) await damage(days)
  const told: string[] = []
  expect(ages(await allBases(vault, ({ message }) => told.push(message)))).toEqual([20, 1])
  expect(told).toEqual([expect.stringMatching(/-10-23T\S+manifest of the backups/), expect.stringMatching(/-11-19T/)])
  // Late enough to delete unfinished backups, while the same days are kept.
  const nowMs = ((await vault.list('bases'))[0]?.atMs ?? 0) + 4 * 86_400_000
  await tidyUp(vault, { keepDays: 14 + (nowMs - now) / 86_400_000, series: 'now', nowMs })
  expect((await basesIn(vault)).unread.map(({ folder: name }) => name)).toEqual([folderOf(baseOf('now', 3, 0))])
  expect(await vault.list('bases')).toHaveLength(2 * 3)
  expect((await segmentsOf(vault, 'now')).size).toBe(4)
  for (const days of [20, 1]) await damage(days)
  await expect(allBases(vault, () => undefined)).rejects.toThrow('cannot be read')
  await expect(tidyUp(vault, { keepDays: 14, nowMs: now })).rejects.toThrow('cannot be read')
})
