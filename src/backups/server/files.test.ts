/** Which uploads the backups keep, and for how long. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { picture } from '../../testing/pictures.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { uploaded } from '../../testing/uploads.ts'
import { currentStorage } from '../../attachments/server/attachments.ts'
import { FileCopies, tidyFiles } from './files.ts'
import { openVault } from './vault.ts'

const t = testApp()
const tester = signedUp(t, 'TESTER')

const fail = (error: Error) => {
  throw error
}

test('a file that is missing keeps no other out of the backups, and is told once', async () => {
  const [first, lost, last] = [
    await uploaded(t, tester, await picture()),
    await uploaded(t, tester, await picture()),
    await uploaded(t, tester, await picture()),
  ]
  await currentStorage().remove(lost.id)
  const vault = await openVault(join(t.dataDir, 'without-one'), randomBytes(32))
  const told: string[] = []
  const copies = new FileCopies(vault, ({ message }) => told.push(message))
  await copies.copyNew()
  await copies.copyNew()
  const names = (await vault.list('files')).map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([`files/${first.id}`, `files/${lost.id}.preview`, `files/${last.id}`]))
  expect(names).not.toContain(`files/${lost.id}`)
  expect(told).toEqual([`1 file missing in the storage, and so in the backups: ${lost.id}`])
  await t.look('delete from attachments where id = $1', [lost.id])
})

test('a file that a restore brought back is kept for as long as any other when it goes again', async () => {
  await uploaded(t, tester, await picture())
  const vault = await openVault(join(t.dataDir, 'kept'), randomBytes(32))
  await new FileCopies(vault, fail).copyNew()
  const files = await vault.list('files')
  expect(files.length).toBeGreaterThan(0)
  // It was marked as gone before the database was taken back to a moment at which it was there.
  for (const { name } of files) await vault.write(`gone/${name.slice('files/'.length)}`, [])
  await tidyFiles(vault, Infinity)
  expect(await vault.list('gone')).toEqual([])
  await t.look('delete from attachments')
  await tidyFiles(vault, Infinity)
  expect(await vault.list('files')).toEqual(files)
  await tidyFiles(vault, Infinity)
  expect([await vault.list('files'), await vault.list('gone')]).toEqual([[], []])
})
