import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { encryptionKeyBytes, parseEncryptionKey } from './encryption.ts'

type KeptSecret = {
  name: 'jwt-secret' | 'encryption-key'
  variable: 'JWT_SECRET' | 'ENCRYPTION_KEY'
  make: () => string
  isWhole: (text: string) => boolean
  /** What follows from a new one in the place of one that is gone; null where nothing may be put there. */
  withNew: string | null
  ifLost: string
}

export const howToReplaceKey =
  'If that key is lost for good, see “A lost encryption key” in docs/operations.md: npm run admin -- replace-encryption-key'

/** Signs access tokens. */
export const jwtSecret: KeptSecret = {
  name: 'jwt-secret',
  variable: 'JWT_SECRET',
  make: () => randomBytes(48).toString('base64url'),
  isWhole: text => text.length >= 32,
  withNew: 'everybody signs in again',
  ifLost: 'If it is lost for good, delete the file: everybody then signs in again.',
}

/** Seals secrets at rest (encryption.ts). */
export const encryptionKey: KeptSecret = {
  name: 'encryption-key',
  variable: 'ENCRYPTION_KEY',
  make: () => randomBytes(encryptionKeyBytes).toString('base64'),
  isWhole: text => parseEncryptionKey(text) !== null,
  withNew: null,
  ifLost: howToReplaceKey,
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

/** A name that a crash takes away would leave a database without its key. */
const syncFolder = async (path: string) => {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

type Keeping = {
  /** Nothing has been signed or sealed yet. */
  isNew: boolean
  say: (line: string) => void
}

/**
 * Made on the first start and kept in the data folder, readable by its owner only. Later nothing is put silently in the place of what
 * other things depend on: an encryption key that is gone is named, and so is half a secret.
 */
export const keptSecret = async (dataDir: string, secret: KeptSecret, { isNew, say }: Keeping): Promise<string> => {
  const { name, make, isWhole, withNew } = secret
  const file = join(dataDir, name)
  const kept = await readKept(file)
  if (kept !== null && isWhole(kept)) return kept
  if (!isNew && (kept || withNew === null)) throw new Error(refusalOf(file, kept, secret))
  if (!isNew) say(`${file} is ${kept === null ? 'missing' : 'empty'}: a new one is made, and ${withNew}.`)
  await mkdir(dataDir, { recursive: true })
  // Written to a temporary file of its own, also among servers of one process id, and linked: those that start at once share the
  // first one's, never half a key.
  const draft = `${file}.${randomUUID()}`
  await writeLasting(draft, make())
  if (kept !== null) await rm(file, { force: true })
  await link(draft, file).catch(() => undefined)
  await rm(draft)
  await syncFolder(dataDir)
  return readFile(file, 'utf8')
}

const refusalOf = (file: string, kept: string | null, { variable, ifLost }: KeptSecret): string => {
  const what = kept
    ? `is broken: its ${kept.length} characters are no whole secret.`
    : `is ${kept === null ? 'missing' : 'empty'}, and this database keeps what only its key opens.`
  return `${file} ${what} Put your copy of it back, or set ${variable}. ${ifLost}`
}
