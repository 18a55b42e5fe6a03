import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The signing key of access tokens, generated on the first start and kept in the data folder, readable by its owner only. */
export const keptSecret = async (dataDir: string): Promise<string> => {
  const file = join(dataDir, 'jwt-secret')
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.length >= 32) return kept
  await mkdir(dataDir, { recursive: true })
  // Written to a temporary file and linked: two servers that start at once share the first one's, never half a key.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(48).toString('base64url'), { mode: 0o600 })
  if (kept !== '') await rm(file, { force: true })
  await link(draft, file).catch(() => undefined)
  await rm(draft)
  return readFile(file, 'utf8')
}
