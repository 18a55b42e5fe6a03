/** A folder of backups: a file is there completely, or not at all. */
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folderPlace } from './places.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldtest-places-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('two processes that write the same file at once do not interfere with each other', async () => {
  const place = folderPlace(folder)
  const bothBegan = Promise.withResolvers<void>()
  let begun = 0
  const content = async function* () {
    yield Buffer.from('the ')
    if (++begun === 2) bothBegan.resolve()
    await bothBegan.promise
    yield Buffer.from('same')
  }
  await Promise.all([place.put('files/a', content()), place.put('files/a', content())])
  expect(await place.list('files')).toMatchObject([{ name: 'files/a', bytes: 8 }])
  expect(await readdir(join(folder, 'files'))).toEqual(['a'])
})

test('files and folders there are readable by their owner only', async () => {
  const modeOf = async (name: string) => (await stat(join(folder, name))).mode & 0o777
  await folderPlace(folder).put('files/deep/a', Readable.from([Buffer.from('secret')]))
  expect([await modeOf('files'), await modeOf('files/deep'), await modeOf('files/deep/a')]).toEqual([
    0o700, 0o700, 0o600,
  ])
})

test('files that a dead machine left unfinished are removed, and files being written are not; neither is listed', async () => {
  const place = folderPlace(folder)
  for (const name of ['old.unfinished', 'new.unfinished', 'whole']) await writeFile(join(folder, name), '')
  for (const name of ['old.unfinished', 'whole']) await utimes(join(folder, name), 1, 1)
  expect((await place.list('')).map(({ bytes }) => bytes)).toEqual([0])
  await place.forgetUnfinished(2_000)
  expect((await readdir(folder)).toSorted()).toEqual(['new.unfinished', 'whole'])
})
