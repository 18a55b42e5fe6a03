/** What a running server sends to the backups, and what a restore makes of it: with a bucket and the real commands. */
import { randomBytes, randomUUID } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Session } from '../../accounts/contract.ts'
import type { Attachment } from '../../attachments/contract.ts'
import { openVault, type Vault } from '../../backups/server/vault.ts'
import { startBucket, type TestBucket } from '../../testing/bucket.ts'
import { type Installation, runScript, startInstallation } from '../../testing/installation.ts'
import { picture } from '../../testing/pictures.ts'
import { formOf, formType } from '../../testing/uploads.ts'

const key = randomBytes(32)
const BACKUP_KEY = key.toString('base64')
const password = 'correct horse battery'
let root = ''
let bucket: TestBucket
let vault: Vault
let server: Installation
const at = (name: string) => join(root, name)

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'fieldtest-backups-'))
  bucket = await startBucket()
  vault = await openVault(bucket.url(), key)
  server = await startInstallation({ DATA_DIR: at('data'), BACKUP_TO: bucket.url(), BACKUP_KEY })
})
afterAll(async () => {
  await server.kill()
  await bucket.stop()
  await rm(root, { recursive: true, force: true })
})

const call = (
  from: Installation,
  method: string,
  path: string,
  { token = '', body }: { token?: string; body?: object | Buffer },
) =>
  fetch(`${from.address}/api/v1${path}`, {
    method,
    headers: {
      'content-type': Buffer.isBuffer(body) ? formType : 'application/json',
      ...(token !== '' && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: Buffer.isBuffer(body) ? Uint8Array.from(body) : JSON.stringify(body) }),
  })
const signUp = async () => {
  const email = `${randomUUID()}@example.test`
  const body = { email, password, name: 'Ann Example', role: 'TESTER' }
  const reply = await call(server, 'POST', '/auth/register', { body })
  expect(reply.status).toBe(201)
  const { accessToken: token, user } = (await reply.json()) as Session
  return { email, token, id: user.id }
}
const restore = (to: string, more: string[] = [], env: Record<string, string> = {}) =>
  runScript('restore', ['--from', bucket.url(), '--to', at(to), ...more], { BACKUP_KEY, ...env })
const count = async (folder: string) => (await vault.list(folder)).length
const wait = { timeout: 60_000, interval: 200 }

test('a server backs up uploads, deletions and the last commit on its own; a restored copy repeats later deletions', async () => {
  const [ann, bob] = [await signUp(), await signUp()]
  const image = formOf([{ bytes: await picture() }])
  const uploaded = await call(server, 'POST', '/attachments', { token: ann.token, body: image })
  const { id } = (await uploaded.json()) as Attachment
  const original = await call(server, 'GET', `/attachments/${id}`, { token: ann.token })
  await expect
    .poll(async () => (await vault.list('bases')).some(({ name }) => name.endsWith('manifest')), wait)
    .toBe(true)
  await expect.poll(() => count('files'), wait).toBe(2)

  // Bob still exists at this moment.
  const moment = new Date().toISOString()
  await signUp()
  const deleted = await call(server, 'DELETE', '/users/me', { token: bob.token, body: { password } })
  expect(deleted.status).toBe(204)
  await expect.poll(() => count('erased'), wait).toBe(1)
  const last = await signUp()
  await server.stop()

  const { code, said } = await restore('then', ['--at', moment, '--keys', at('data')])
  expect(said).toContain('Erased again, because they were erased after that moment: 1 accounts, 0 Play addresses.')
  expect(said).toContain('2 of 2 files restored.')
  expect(said).not.toContain('is missing')
  expect(code).toBe(0)
  const copy = await startInstallation({ DATA_DIR: at('then') })
  try {
    const login = (email: string) => call(copy, 'POST', '/auth/login', { body: { email, password } })
    expect((await login(bob.email)).status).toBe(401)
    expect((await login(last.email)).status).toBe(401)
    const { accessToken: token } = (await (await login(ann.email)).json()) as Session
    const file = await call(copy, 'GET', `/attachments/${id}`, { token })
    expect(Buffer.from(await file.arrayBuffer()).equals(Buffer.from(await original.arrayBuffer()))).toBe(true)
  } finally {
    await copy.stop()
  }

  const unlocked = `${at('newest/encryption-key')} is missing: put your copy there, or set ENCRYPTION_KEY.`
  expect(await restore('newest')).toMatchObject({ code: 0, said: expect.stringContaining(unlocked) as string })
  await expect(startInstallation({ DATA_DIR: at('newest') })).rejects.toThrow('newest/encryption-key is missing')
  await copyFile(at('data/encryption-key'), at('newest/encryption-key'))
  const newest = await startInstallation({ DATA_DIR: at('newest') })
  const body = { email: last.email, password }
  expect((await call(newest, 'POST', '/auth/login', { body })).status).toBe(200)
  await newest.stop()
}, 240_000)

test('--verify restores the newest backup, runs the checks and says how old it is', async () => {
  const { code, said } = await runScript('backup', ['--verify', '--from', bucket.url()], { BACKUP_KEY })
  expect(said).toMatch(/Backup of \S+Z in http:\S+, 0\.\d hours old\./)
  expect(said).not.toContain('S3RVER:')
  expect(said).toContain('All data checks hold.')
  expect(code).toBe(0)
})

test('a backup with another key writes nothing, and a base backup under another key is named and skipped', async () => {
  const other = randomBytes(32)
  const names = async () =>
    (await Promise.all(['bases', 'log', 'files', 'erased', 'installation'].map(vault.list))).flat()
  const before = await names()
  const asked = { BACKUP_KEY: other.toString('base64'), DATA_DIR: at('data'), BACKUP_KEEP_DAYS: '1' }
  for (const more of [[], ['--without-database']]) {
    const { code, said } = await runScript('backup', ['--to', bucket.url(), ...more], asked)
    expect(said).toContain('were encrypted with a key other than this BACKUP_KEY, so nothing was written there.')
    expect(code).toBe(1)
  }
  expect(await names()).toEqual(before)

  const left = `bases/fieldtest_backup_once_20990101000000_0a1b2c3d/2099-01-01T00-00-00.000Z/manifest`
  await (await openVault(bucket.url(), other)).write(left, [Buffer.from('{}')])
  const named = `${left} was encrypted with a key other than this BACKUP_KEY.`
  const verified = await runScript('backup', ['--verify', '--from', bucket.url()], { BACKUP_KEY })
  expect(verified.said).toContain(named)
  expect(verified.said).toContain('All data checks hold.')
  expect(verified.code).toBe(0)
  const restored = await restore('beside-another-key')
  expect(restored.said).toContain(named)
  expect(restored.code).toBe(0)
  await vault.remove(left)
}, 240_000)

test('an impossible restore is refused with an explanation, and writes nothing', async () => {
  await mkdir(at('used'))
  await writeFile(at('used/something'), '')
  const refused = async (sentence: RegExp, ...asked: Parameters<typeof restore>) => {
    const { code, said } = await restore(...asked)
    expect(said).toMatch(sentence)
    // Invalid arguments exit with 2.
    expect(code).toBe(sentence.source.startsWith('--at') ? 2 : 1)
  }
  await refused(/used is not empty\. Restore into a new folder\./, 'used')
  const other = randomBytes(32).toString('base64')
  await refused(/was encrypted with a key other than this BACKUP_KEY\./, 'no', [], { BACKUP_KEY: other })
  await refused(/The oldest backup can restore \S+ and later, not 2020-01-01/, 'no', ['--at', '2020-01-01T00:00:00Z'])
  await refused(/--at must be a time such as/, 'no', ['--at', 'yesterday'])
  await refused(/--at must be a time such as/, 'no', ['--at', '2026-11-22T10:00:00'])
  await refused(/The backups of that time end at \S+, before 2099/, 'later', ['--at', '2099-01-01T00:00:00Z'])
  expect(await readdir(at('later'))).toEqual([])
  await mkdir(at('killed/restore.unfinished'), { recursive: true })
  await refused(/A restore into \S+ was interrupted\. Delete the folder/, 'killed')
}, 120_000)

test('a restore that cannot repeat deletions ends with the reason, and leaves nothing that a server could start on', async () => {
  await vault.write('erased/unreadable', [Buffer.from('no list')])
  const { code, said } = await restore('unreadable')
  expect(said).toMatch(/erased\/unreadable of the backups cannot be read: .*is not valid JSON/)
  expect(code).toBe(1)
  expect(await readdir(at('unreadable'))).toEqual([])
}, 120_000)
