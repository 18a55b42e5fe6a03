import { afterEach, expect, test, vi } from 'vitest'
import { session } from '../../kit/web/session.ts'
import { stubIndexedDb } from '../../testing/indexedDb.ts'
import { dropFiles as dropDraft, dropOtherFiles } from './draft.ts'
import { type KeptFile, dropFile, dropFiles, keepFile, keepSent, keptFiles } from './keptFiles.ts'

const kept = (key: string, addedAt: number, place = 'proof:p1'): KeptFile => ({
  key,
  place,
  addedAt,
  name: `${key}.png`,
  file: new Blob([key]),
  attachment: null,
})
const [first, second, third] = [kept('z', 1), kept('m', 2), kept('a', 3)]
const elsewhere = kept('b', 1, 'proof:p2')

const keysIn = async (place: string) => (await keptFiles(place)).map(({ key }) => key)

const withAll = async () => {
  const database = stubIndexedDb()
  for (const file of [second, elsewhere, third, first]) await keepFile(file)
  return database
}

afterEach(() => vi.unstubAllGlobals())

test('the files of a draft come back as they were, in the order in which they were picked, and no others', async () => {
  await withAll()
  expect(await keptFiles('proof:p1')).toEqual([first, second, third])
  expect(await keptFiles('proof:p2')).toEqual([elsewhere])
  expect(await keptFiles('proof:p3')).toEqual([])
})

test('where the browser stores no files, as Safari in a private window, their bytes are kept', async () => {
  const database = stubIndexedDb()
  database.faults.add('blob')
  const file = { ...first, file: new Blob([new Uint8Array([0, 255])], { type: 'image/png' }) }
  await keepFile(file)
  await keepSent({ ...file, name: 'sent.png' })
  const [back] = await keptFiles('proof:p1')
  expect([back!.name, back!.file.type]).toEqual(['sent.png', 'image/png'])
  expect(new Uint8Array(await back!.file.arrayBuffer())).toEqual(new Uint8Array([0, 255]))
})

test('files of an earlier visit are found', async () => {
  const database = stubIndexedDb()
  database.begin('files', 'key', 'place')
  database.put(first)
  expect(await keptFiles('proof:p1')).toEqual([first])
})

test('a file that is kept again takes the place of the earlier one', async () => {
  await withAll()
  await keepFile({ ...second, name: 'sent.png' })
  expect((await keptFiles('proof:p1')).map(({ name }) => name)).toEqual(['z.png', 'sent.png', 'a.png'])
})

test('a dropped file is gone, and the others stay', async () => {
  await withAll()
  await dropFile('m')
  expect([await keysIn('proof:p1'), await keysIn('proof:p2')]).toEqual([['z', 'a'], ['b']])
})

test('once a draft is sent, all of its files are gone, and those of other drafts stay', async () => {
  const database = await withAll()
  await dropFiles('proof:p1')
  expect(database.rows()).toEqual([elsewhere])
})

test('sending a draft leaves alone the files that another person keeps for the same draft on this device', async () => {
  const database = stubIndexedDb()
  const user = { id: 'tess', email: 'tess@example.com', name: 'Tess', role: 'TESTER' as const }
  session.signIn({ accessToken: 'access', refreshToken: 'refresh', user })
  const [hers, his] = [kept('hers', 1, 'tess:proof:p1'), kept('his', 1, 'tom:proof:p1')]
  for (const file of [hers, his]) await keepFile(file)
  await dropDraft('proof:p1')
  expect(database.rows()).toEqual([his])
})

test('no connection stays open, which would hold up a later version of the database', async () => {
  const database = await withAll()
  await keptFiles('proof:p1')
  await dropFiles('proof:p1')
  database.faults.add('ask')
  await keptFiles('proof:p1')
  expect(database.connections()).toBe(0)
})

test.each(['open', 'ask'] as const)('a database that fails (%s) keeps nothing and raises no error', async fault => {
  const database = await withAll()
  database.faults.add(fault)
  expect([await keepFile(kept('new', 4)), await keptFiles('proof:p1')]).toEqual([null, []])
  await dropFiles('proof:p1')
  expect(database.rows()).toHaveLength(4)
})

test('a browser without IndexedDB raises no error either', async () => {
  expect([await keepFile(first), await dropFile('z'), await keptFiles('proof:p1')]).toEqual([null, null, []])
})

test('files of past days are dropped; those of today, of other tests and of other people stay', async () => {
  const database = stubIndexedDb()
  const user = { id: 'tess', email: 'tess@example.com', name: 'Tess', role: 'TESTER' as const }
  session.signIn({ accessToken: 'access', refreshToken: 'refresh', user })
  const today = kept('today', 1, 'tess:check-in:p1:2026-11-27')
  const others = [kept('p2', 1, 'tess:check-in:p2:2026-11-26'), kept('tom', 1, 'tom:check-in:p1:2026-11-26')]
  for (const file of [today, ...others, kept('over', 1, 'tess:check-in:p1:2026-11-26')]) await keepFile(file)
  await dropOtherFiles('check-in:p1:', 'check-in:p1:2026-11-27')
  expect(database.rows()).toEqual([today, ...others])
})
