/** Files in a folder are open only while they are read. */
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openFilesIn } from '../../testing/openFiles.ts'
import { testApp } from '../../testing/prologue.ts'
import { isMissingFile } from './content.ts'
import { currentStorage } from './storage.ts'

const t = testApp()
const name = '019e8a00-0000-7000-8000-0000000000ab'
const opened = () => openFilesIn(join(t.dataDir, 'attachments'))

test('a file that nobody reads is not opened; one that is read is closed, even if reading stops after the first piece', async () => {
  const kept = Buffer.alloc(200_000, 'a')
  await currentStorage().put(name, kept)
  await currentStorage().get(name)
  expect(await opened()).toEqual([])
  expect(await buffer(await currentStorage().get(name))).toEqual(kept)
  const half = (await currentStorage().get(name))[Symbol.asyncIterator]()
  expect((await half.next()).value?.length).toBeLessThan(kept.length)
  expect(await opened()).toHaveLength(1)
  await half.return?.()
  await expect.poll(opened).toEqual([])
})

test('a missing file is reported at once, before anything is read', async () => {
  const missing = await currentStorage()
    .get(name.replace('ab', 'cd'))
    .catch((error: unknown) => error)
  expect(isMissingFile(missing)).toBe(true)
})
