/** The secrets that a first start makes and keeps. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encryptionKey, jwtSecret, keptSecret } from './secret.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldtest-secrets-'))
})
afterAll(() => rm(folder, { recursive: true }))

test.each([jwtSecret, encryptionKey])('$name is made once, and only its owner can read it', async secret => {
  const dataDir = join(folder, `new-${secret.name}`)
  const made = await Promise.all(Array.from({ length: 20 }, () => keptSecret(dataDir, secret, true)))
  const [first = ''] = made
  expect(first.length).toBeGreaterThanOrEqual(32)
  expect(new Set([...made, await keptSecret(dataDir, secret, false)])).toEqual(new Set([first]))
  expect((await stat(join(dataDir, secret.name))).mode & 0o777).toBe(0o600)
  expect(await readdir(dataDir)).toEqual([secret.name])
})

const broken = [
  ['empty', jwtSecret, ''],
  ['empty', encryptionKey, ''],
  ['half', jwtSecret, 'x'.repeat(31)],
  ['half', encryptionKey, randomBytes(31).toString('base64')],
] as const

test.each(broken)('an %s $name is made anew while nothing depends on it', async (_, secret, text) => {
  const file = join(folder, secret.name)
  await writeFile(file, text)
  const made = await keptSecret(folder, secret, true)
  expect(made.length).toBeGreaterThanOrEqual(32)
  expect(await readFile(file, 'utf8')).toBe(made)
  expect(await keptSecret(folder, secret, false)).toBe(made)
  await rm(file)
})

test.each(broken)('later an %s $name is named and left as it is', async (_, secret, text) => {
  const file = join(folder, secret.name)
  await writeFile(file, text)
  await expect(keptSecret(folder, secret, false)).rejects.toThrow(
    `${file} is broken: ${text === '' ? 'it is empty' : `its ${text.length} characters are no whole secret`}. Put your copy of it back, or set ${secret.variable}.`,
  )
  expect(await readFile(file, 'utf8')).toBe(text)
  await rm(file)
})

test('a missing encryption key is made anew only while nothing depends on it; a missing JWT secret signs people out', async () => {
  const dataDir = join(folder, 'missing')
  await expect(keptSecret(dataDir, encryptionKey, false)).rejects.toThrow(
    `${join(dataDir, 'encryption-key')} is missing, and this database keeps what only its key opens.`,
  )
  expect(await readdir(folder)).not.toContain('missing')
  expect((await keptSecret(dataDir, jwtSecret, false)).length).toBeGreaterThanOrEqual(32)
})
