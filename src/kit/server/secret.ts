import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The key of the access tokens, made at the first start and kept in the data folder, readable by its owner only. */
export const keptSecret = async (dataDir: string): Promise<string> => {
  const file = join(dataDir, 'jwt-secret')
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.length >= 32) return kept
  await mkdir(dataDir, { recursive: true })
  // Written beside and linked in: of two servers that start at once, both use the first one's, and none a half-written.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(48).toString('base64url'), { mode: 0o600 })
  if (kept !== '') await rm(file, { force: true })
  await link(draft, file).catch(() => undefined)
  await rm(draft)
  return readFile(file, 'utf8')
}
