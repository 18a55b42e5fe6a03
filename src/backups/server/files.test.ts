/** Which uploads the backups keep, and for how long. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { password } from '../../testing/app.ts'
import { picture } from '../../testing/pictures.ts'
import { signedUp, testApp } from '../../testing/prologue.ts'
import { uploaded } from '../../testing/uploads.ts'
import { currentStorage } from '../../attachments/server/attachments.ts'
import { takeBeside } from './backups.ts'
import { Erasures, readErased } from './erasures.ts'
import { FileCopies, tidyFiles } from './files.ts'
import { tidyBeside } from './keeping.ts'
import { openVault } from './vault.ts'

const t = testApp()
const tester = signedUp(t, 'TESTER')

const fail = (error: Error) => {
  throw error
}

test('a missing file is reported once, and does not keep others out of the backups', async () => {
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
  expect(told).toEqual([`1 file missing from the storage, and so from the backups: ${lost.id}`])
  await t.look('delete from attachments where id = $1', [lost.id])
})

test('a file that is missing for a while, as before a disk is mounted, is copied once it is there', async () => {
  const { id } = await uploaded(t, tester, await picture())
  const content: Buffer[] = []
  for await (const chunk of await currentStorage().get(id)) content.push(Buffer.from(chunk))
  await currentStorage().remove(id)
  const vault = await openVault(join(t.dataDir, 'late'), randomBytes(32))
  const told: string[] = []
  const copies = new FileCopies(vault, ({ message }) => told.push(message), 0)
  await copies.copyNew()
  await copies.copyNew()
  await currentStorage().put(id, Buffer.concat(content))
  await copies.copyNew()
  expect(await vault.readWhole(`files/${id}`)).toEqual(Buffer.concat(content))
  expect(told).toHaveLength(1)
})

test('an erased account is noted once, however often it is found, even by a new list', async () => {
  const gone = await t.signUp('TESTER')
  expect((await gone.call('DELETE', '/users/me', { password })).status).toBe(204)
  const vault = await openVault(join(t.dataDir, 'erasures'), randomBytes(32))
  const erasures = new Erasures(vault)
  for (const noting of [erasures, erasures, new Erasures(vault)]) await noting.noteNew()
  expect((await readErased(vault)).map(({ kind, id }) => [kind, id])).toEqual([['ACCOUNT', gone.user.id]])
})

test('a file is copied once, however often it is found, even by a new copier', async () => {
  const { id } = await uploaded(t, tester, await picture())
  const vault = await openVault(join(t.dataDir, 'once'), randomBytes(32))
  const written: string[] = []
  const write: typeof vault.write = (name, content) => {
    written.push(name)
    return vault.write(name, content)
  }
  for (const copies of [new FileCopies({ ...vault, write }, fail), new FileCopies({ ...vault, write }, fail)])
    for (let times = 0; times < 3; times++) await copies.copyNew()
  expect(written.filter(name => name === `files/${id}`)).toHaveLength(1)
  expect(new Set(written).size).toBe(written.length)
})

test('a file that is deleted after it was found is not reported as missing', async () => {
  const { id } = await uploaded(t, tester, await picture())
  const vault = await openVault(join(t.dataDir, 'deleted'), randomBytes(32))
  const write: typeof vault.write = async (name, content) => {
    if (name === `files/${id}`) {
      await t.look('delete from attachments where id = $1', [id])
      await currentStorage().remove(id)
    }
    return vault.write(name, content)
  }
  await new FileCopies({ ...vault, write }, fail).copyNew()
  expect((await vault.list('files')).map(({ name }) => name)).not.toContain(`files/${id}`)
})

test('a failing place is not mistaken for a missing file', async () => {
  await uploaded(t, tester, await picture())
  const vault = await openVault(join(t.dataDir, 'failing'), randomBytes(32))
  const gone = () => Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' }))
  await expect(new FileCopies({ ...vault, write: gone }, fail).copyNew()).rejects.toThrow('no such file')
})

test('if only files are backed up, those of erased people are removed after the days to keep, checked once a day', async () => {
  await uploaded(t, tester, await picture())
  const vault = await openVault(join(t.dataDir, 'beside'), randomBytes(32))
  await takeBeside(vault, 3, fail)
  const files = await vault.list('files')
  await t.look('delete from attachments')
  const inDays = (days: number) => tidyBeside(vault, { keepDays: 3, nowMs: (files[0]?.atMs ?? 0) + days * 86_400_000 })
  await inDays(0.9)
  expect(await vault.list('gone')).toEqual([])
  await inDays(1.1)
  expect(await vault.list('gone')).toHaveLength(files.length)
  await inDays(4.2)
  expect(await vault.list('files')).toEqual([])
})

test('a file that a restore brought back is kept as long as any other once it is gone again', async () => {
  await uploaded(t, tester, await picture())
  const vault = await openVault(join(t.dataDir, 'kept'), randomBytes(32))
  await new FileCopies(vault, fail).copyNew()
  const files = await vault.list('files')
  expect(files.length).toBeGreaterThan(0)
  // It was marked as gone before the database was restored to a moment when it still existed.
  for (const { name } of files) await vault.write(`gone/${name.slice('files/'.length)}`, [])
  await tidyFiles(vault, Infinity)
  expect(await vault.list('gone')).toEqual([])
  await t.look('delete from attachments')
  await tidyFiles(vault, Infinity)
  expect(await vault.list('files')).toEqual(files)
  await tidyFiles(vault, Infinity)
  expect([await vault.list('files'), await vault.list('gone')]).toEqual([[], []])
})
