import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { encryptionKeyBytes, parseEncryptionKey } from './encryption.ts'

type KeptSecret = {
  name: 'jwt-secret' | 'encryption-key'
  variable: 'JWT_SECRET' | 'ENCRYPTION_KEY'
  make: () => string
  isWhole: (text: string) => boolean
  /** What to do about a file that is lost for good; null where a new one may be made in its place. */
  ifLost: string | null
  ifBroken: string
}

export const howToReplaceKey =
  'If that key is lost for good, see “A lost encryption key” in docs/operations.md: npm run admin -- replace-encryption-key'

/** Signs access tokens. */
export const jwtSecret: KeptSecret = {
  name: 'jwt-secret',
  variable: 'JWT_SECRET',
  make: () => randomBytes(48).toString('base64url'),
  isWhole: text => text.length >= 32,
  ifLost: null,
  ifBroken: 'If it is lost for good, delete the file: everybody then signs in again.',
}

/** Seals secrets at rest (encryption.ts). */
export const encryptionKey: KeptSecret = {
  name: 'encryption-key',
  variable: 'ENCRYPTION_KEY',
  make: () => randomBytes(encryptionKeyBytes).toString('base64'),
  isWhole: text => parseEncryptionKey(text) !== null,
  ifLost: howToReplaceKey,
  ifBroken: howToReplaceKey,
}

const readKept = async (file: string): Promise<string | null> => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** On disk once it resolves: a crash leaves no file that is empty. */
const writeLasting = async (file: string, text: string) => {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Made on the first start and kept in the data folder, readable by its owner only. `isNew`: nothing has been signed or sealed yet.
 * Later a broken file is named, and nothing is put in the place of what other things depend on.
 */
export const keptSecret = async (dataDir: string, secret: KeptSecret, isNew: boolean): Promise<string> => {
  const { name, variable, make, isWhole, ifLost, ifBroken } = secret
  const file = join(dataDir, name)
  const kept = await readKept(file)
  if (kept !== null && isWhole(kept)) return kept
  const putBack = `Put your copy of it back, or set ${variable}.`
  if (kept !== null && !isNew) throw new Error(`${file} is broken: ${sizeOf(kept)}. ${putBack} ${ifBroken}`)
  if (kept === null && !isNew && ifLost !== null)
    throw new Error(`${file} is missing, and this database keeps what only its key opens. ${putBack} ${ifLost}`)
  await mkdir(dataDir, { recursive: true })
  // Written to a temporary file of its own, also among servers of one process id, and linked: those that start at once share the
  // first one's, never half a key.
  const draft = `${file}.${randomUUID()}`
  await writeLasting(draft, make())
  if (kept !== null) await rm(file, { force: true })
  await link(draft, file).catch(() => undefined)
  await rm(draft)
  return readFile(file, 'utf8')
}

const sizeOf = (text: string) => (text === '' ? 'it is empty' : `its ${text.length} characters are no whole secret`)
