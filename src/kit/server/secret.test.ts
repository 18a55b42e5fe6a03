/** The secrets that a first start makes and keeps. */
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
  const made = await Promise.all(Array.from({ length: 20 }, () => keptSecret(dataDir, secret)))
  const [first = ''] = made
  expect(first.length).toBeGreaterThanOrEqual(32)
  expect(new Set([...made, await keptSecret(dataDir, secret)])).toEqual(new Set([first]))
  expect((await stat(join(dataDir, secret.name))).mode & 0o777).toBe(0o600)
  expect(await readdir(dataDir)).toEqual([secret.name])
})

test('one of 32 characters is kept, and what is shorter is half a secret and made anew', async () => {
  const file = join(folder, jwtSecret.name)
  await writeFile(file, 'x'.repeat(32))
  expect(await keptSecret(folder, jwtSecret)).toBe('x'.repeat(32))
  await writeFile(file, 'x'.repeat(31))
  const made = await keptSecret(folder, jwtSecret)
  expect(made.length).toBeGreaterThanOrEqual(32)
  expect(made).not.toContain('x'.repeat(31))
  expect(await readFile(file, 'utf8')).toBe(made)
})
