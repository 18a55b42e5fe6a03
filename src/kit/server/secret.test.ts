/** The secrets that a first start makes and keeps. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { encryptionKey, jwtSecret, keptSecret } from './secret.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldtest-secrets-'))
})
afterAll(() => rm(folder, { recursive: true }))

const said: string[] = []
beforeEach(() => void said.splice(0))
const say = (line: string) => void said.push(line)
const first = { isNew: true, say }
const later = { isNew: false, say }

test.each([jwtSecret, encryptionKey])('$name is made once, and only its owner can read it', async secret => {
  const dataDir = join(folder, `new-${secret.name}`)
  const made = await Promise.all(Array.from({ length: 20 }, () => keptSecret(dataDir, secret, first)))
  expect(made[0]!.length).toBeGreaterThanOrEqual(32)
  expect(new Set([...made, await keptSecret(dataDir, secret, later)])).toEqual(new Set([made[0]]))
  expect((await stat(join(dataDir, secret.name))).mode & 0o777).toBe(0o600)
  expect(await readdir(dataDir)).toEqual([secret.name])
  expect(said).toEqual([])
})

const empty = [
  [jwtSecret, ''],
  [encryptionKey, ''],
] as const
const half = [
  [jwtSecret, 'x'.repeat(31)],
  [encryptionKey, randomBytes(31).toString('base64')],
] as const

test.each([...empty, ...half])(
  '$0.name, empty or half, is made anew while nothing depends on it',
  async (secret, text) => {
    const file = join(folder, secret.name)
    await writeFile(file, text)
    const made = await keptSecret(folder, secret, first)
    expect(made.length).toBeGreaterThanOrEqual(32)
    expect(await readFile(file, 'utf8')).toBe(made)
    expect(await keptSecret(folder, secret, later)).toBe(made)
    await rm(file)
  },
)

test.each(half)('later half a $0.name is named and left as it is', async (secret, text) => {
  const file = join(folder, secret.name)
  await writeFile(file, text)
  await expect(keptSecret(folder, secret, later)).rejects.toThrow(
    `${file} is broken: its ${text.length} characters are no whole secret. Put your copy of it back, or set ${secret.variable}.`,
  )
  expect(await readFile(file, 'utf8')).toBe(text)
  await rm(file)
})

test('later an encryption key that is missing or empty is named and not made anew', async () => {
  const dataDir = join(folder, 'lost')
  const file = join(dataDir, 'encryption-key')
  const rest =
    'and this database keeps what only its key opens. Put your copy of it back, or set ENCRYPTION_KEY. If that'
  await expect(keptSecret(dataDir, encryptionKey, later)).rejects.toThrow(`${file} is missing, ${rest}`)
  expect(await readdir(folder)).not.toContain('lost')
  await mkdir(dataDir)
  await writeFile(file, '')
  await expect(keptSecret(dataDir, encryptionKey, later)).rejects.toThrow(`${file} is empty, ${rest}`)
  expect(await readFile(file, 'utf8')).toBe('')
})

test('later a JWT secret that is missing or empty is made anew, which is said', async () => {
  const dataDir = join(folder, 'signed')
  const file = join(dataDir, 'jwt-secret')
  const made = await keptSecret(dataDir, jwtSecret, later)
  await writeFile(file, '')
  const again = await keptSecret(dataDir, jwtSecret, later)
  expect(again.length).toBeGreaterThanOrEqual(32)
  expect(again).not.toBe(made)
  expect(await readFile(file, 'utf8')).toBe(again)
  expect(said).toEqual([
    `${file} is missing: a new one is made, and everybody signs in again.`,
    `${file} is empty: a new one is made, and everybody signs in again.`,
  ])
})

test('what is made is on the disk before it has its name, and so is the name: a crash leaves no empty file, and no used one is lost', async () => {
  const { sync } = await prototypeOfHandles()
  const dataDir = join(folder, 'synced')
  const namesAtSync: string[][] = []
  sync.mockImplementation(async () => void namesAtSync.push(await readdir(dataDir)))
  await keptSecret(dataDir, encryptionKey, first)
  sync.mockRestore()
  expect(namesAtSync).toEqual([[expect.stringMatching(/^encryption-key\../)], ['encryption-key']])
})

const prototypeOfHandles = async () => {
  const handle = await open(folder)
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  return { sync: vi.spyOn(prototype, 'sync') }
}
