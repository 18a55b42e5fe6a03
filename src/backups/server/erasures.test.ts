/** Merging the lists of erasures into one never loses an entry. */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mergeErased, readErased } from './erasures.ts'
import { tidyUp } from './keeping.ts'
import { openVault, type Vault } from './vault.ts'

let folder = ''
let vault: Vault
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldtest-erasures-'))
  vault = await openVault(folder, randomBytes(32))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const at = '2026-11-22T12:00:00.000Z'
/** Writes lists of one account each, and returns the accounts' ids. */
const lists = async (count: number) => {
  const ids = Array.from({ length: count }, () => randomUUID()).toSorted()
  for (const id of ids) {
    const list = Buffer.from(JSON.stringify([{ kind: 'ACCOUNT', id, at }]))
    await vault.write(`erased/2026-11-22T12-00-00.000Z-${id}`, [list])
  }
  return ids
}
const count = async () => (await vault.list('erased')).length
const idsIn = async (place: Vault) => [...new Set((await readErased(place)).map(({ id }) => id))].toSorted()

test('tidying up merges more than a hundred lists into one, with all of their entries', async () => {
  const ids = await lists(101)
  await tidyUp(vault, { keepDays: 14, nowMs: Date.parse(at) })
  expect(await count()).toBe(1)
  expect((await readErased(vault)).map(({ id }) => id).toSorted()).toEqual(ids)
})

test('a hundred lists stay as they are', async () => {
  await lists(100)
  await mergeErased(vault)
  expect(await count()).toBe(100)
})

test('if the old lists cannot be removed, nothing is missing, and the next try adds no list', async () => {
  const ids = await lists(101)
  const locked = { ...vault, remove: () => Promise.reject(new Error('locked')) }
  for (let day = 0; day < 3; day++) await expect(mergeErased(locked)).rejects.toThrow('locked')
  expect(await count()).toBe(102)
  expect(await idsIn(vault)).toEqual(ids)
  await mergeErased(vault)
  expect(await count()).toBe(1)
  expect(await idsIn(vault)).toEqual(ids)
})

test('the merged list is there before the others are removed', async () => {
  await lists(101)
  const full = { ...vault, write: () => Promise.reject(new Error('full')) }
  await expect(mergeErased(full)).rejects.toThrow('full')
  expect(await count()).toBe(101)
})

test('two servers that merge at once, one with a list that the other has not seen, lose nothing', async () => {
  const ids = await lists(101)
  let late: string[] = []
  const slow: Vault = {
    ...vault,
    // Everything has been read by now, and the other server begins.
    write: async (name, content) => {
      late = await lists(1)
      await mergeErased(vault)
      await vault.write(name, content)
    },
  }
  await mergeErased(slow)
  expect(await idsIn(vault)).toEqual([...ids, ...late].toSorted())
  await Promise.all([mergeErased(vault), mergeErased(vault)])
  expect(await idsIn(vault)).toEqual([...ids, ...late].toSorted())
})

test('a restore that reads while a server merges finds the merged list', async () => {
  const ids = await lists(101)
  let merging: Promise<void> | undefined
  const meanwhile: Vault = {
    ...vault,
    readWhole: async name => {
      await (merging ??= mergeErased(vault))
      return vault.readWhole(name)
    },
  }
  expect(await idsIn(meanwhile)).toEqual(ids)
})

test('an unreadable list is named, whatever is wrong with it', async () => {
  for (const content of ['no list', '{}']) {
    await vault.write('erased/unreadable', [Buffer.from(content)])
    await expect(readErased(vault)).rejects.toThrow('erased/unreadable of the backups cannot be read: ')
  }
})
