/** The secrets that a first start makes and stores. */
import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
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
  '$0.name, empty or cut short, is reported and left as it is, even at a first start',
  async (secret, text) => {
    const file = join(folder, secret.name)
    await writeFile(file, text)
    const what = text === '' ? 'is empty.' : `is damaged: its ${text.length} characters are not a complete secret.`
    const rest = `${file} ${what} Put your copy of it back, or set ${secret.variable}.`
    await expect(keptSecret(folder, secret, later)).rejects.toThrow(`${rest} If`)
    await expect(keptSecret(folder, secret, first)).rejects.toThrow(`${rest} Nothing depends on it yet: delete it,`)
    await expect(keptSecret(folder, secret, { ...later, make: true })).rejects.toThrow(rest)
    expect(await readFile(file, 'utf8')).toBe(text)
    expect(said).toEqual([])
    await rm(file)
  },
)

test('an encryption key put there by hand is accepted with a new line at its end', async () => {
  const file = join(folder, 'encryption-key')
  const key = randomBytes(32).toString('base64')
  await writeFile(file, `${key}\n`)
  for (const keeping of [first, later]) expect(await keptSecret(folder, encryptionKey, keeping)).toBe(key)
  expect(await readFile(file, 'utf8')).toBe(`${key}\n`)
  await rm(file)
})

test('later, a missing encryption key is reported, and a new one is made only on request', async () => {
  const dataDir = join(folder, 'lost')
  const file = join(dataDir, 'encryption-key')
  const rest =
    'and this database has data that only its key can decrypt. Put your copy of the file back, or set ENCRYPTION_KEY. If that'
  await expect(keptSecret(dataDir, encryptionKey, later)).rejects.toThrow(`${file} is missing, ${rest}`)
  expect(await readdir(folder)).not.toContain('lost')
  const made = await keptSecret(dataDir, encryptionKey, { ...later, make: true })
  expect(await readFile(file, 'utf8')).toBe(made)
  expect(said).toEqual([`${file} is missing: a new one is created.`])
})

test('later, a missing JWT secret is made again, and this is said', async () => {
  const dataDir = join(folder, 'signed')
  const file = join(dataDir, 'jwt-secret')
  const made = await keptSecret(dataDir, jwtSecret, later)
  expect(await readFile(file, 'utf8')).toBe(made)
  expect(said).toEqual([`${file} is missing: a new one is created, and everybody has to sign in again.`])
})

test('a new secret and then its name are flushed to disk: a crash leaves no empty file and loses no secret in use', async () => {
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
