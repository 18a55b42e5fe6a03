import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encryptionKeyBytes } from './encryption.ts'

type KeptSecret = { name: 'jwt-secret' | 'encryption-key'; make: () => string }

/** Signs access tokens. */
export const jwtSecret: KeptSecret = { name: 'jwt-secret', make: () => randomBytes(48).toString('base64url') }

/** Seals secrets at rest (encryption.ts). */
export const encryptionKey: KeptSecret = {
  name: 'encryption-key',
  make: () => randomBytes(encryptionKeyBytes).toString('base64'),
}

/** Generated on the first start and kept in the data folder, readable by its owner only. */
export const keptSecret = async (dataDir: string, { name, make }: KeptSecret): Promise<string> => {
  const file = join(dataDir, name)
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.length >= 32) return kept
  await mkdir(dataDir, { recursive: true })
  // Written to a temporary file of its own, also among servers of one process id, and linked: those that start at once share the
  // first one's, never half a key.
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, make(), { mode: 0o600 })
  if (kept !== '') await rm(file, { force: true })
  await link(draft, file).catch(() => undefined)
  await rm(draft)
  return readFile(file, 'utf8')
}
