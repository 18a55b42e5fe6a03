import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { encryptionKeyBytes, parseEncryptionKey } from './encryption.ts'

type KeptSecret = {
  name: 'jwt-secret' | 'encryption-key'
  variable: 'JWT_SECRET' | 'ENCRYPTION_KEY'
  make: () => string
  /** The secret in a file's text; null if the text is no usable secret. */
  read: (text: string) => string | null
  /** What a new secret in place of a lost one leads to; null if it must not be replaced. */
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
  // Taken as it is, since tokens were signed with it, but surrounding white space does not count toward its length.
  read: text => (text.trim().length >= 32 ? text : null),
  withNew: 'everybody has to sign in again',
  ifLost: 'If it is lost for good, delete the file: a new one is then created, and everybody has to sign in again.',
}

/** Seals secrets at rest (encryption.ts). */
export const encryptionKey: KeptSecret = {
  name: 'encryption-key',
  variable: 'ENCRYPTION_KEY',
  make: () => randomBytes(encryptionKeyBytes).toString('base64'),
  // Editors and shells add a new line at the end.
  read: text => (parseEncryptionKey(text.trim()) ? text.trim() : null),
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

/** Resolves once the file is on disk, so a crash leaves no empty file. */
const writeLasting = async (file: string, text: string) => {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** If a crash lost the new file's name, the database would be without its key. */
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
  /** Makes a missing secret in any case. */
  make?: boolean
  say: (line: string) => void
}

/**
 * Made at the first start and stored in the data folder, readable by its owner only. An existing file is never replaced, since
 * somebody may have put a secret into it; nor is a lost encryption key, while other things depend on it.
 */
export const keptSecret = async (dataDir: string, secret: KeptSecret, keeping: Keeping): Promise<string> => {
  const { name, make, read, withNew } = secret
  const { isNew, say } = keeping
  const file = join(dataDir, name)
  const kept = await readKept(file)
  if (kept !== null) return read(kept) ?? refuse(unusable(file, kept, secret, isNew))
  if (!isNew && !keeping.make && withNew === null) return refuse(missing(file, secret))
  if (!isNew) say(`${file} is missing: a new one is created${withNew === null ? '' : `, and ${withNew}`}.`)
  await mkdir(dataDir, { recursive: true })
  // Written to a temporary file with a unique name and then linked, so servers that start at once share the first one's secret
  // and never see half of it.
  const draft = `${file}.${randomUUID()}`
  await writeLasting(draft, make())
  await link(draft, file).catch(() => undefined)
  await rm(draft)
  await syncFolder(dataDir)
  return readFile(file, 'utf8')
}

const refuse = (why: string): never => {
  throw new Error(why)
}

const missing = (file: string, { variable, ifLost }: KeptSecret) =>
  `${file} is missing, and this database has data that only its key can decrypt. Put your copy of the file back, or set ${variable}. ${ifLost}`

const unusable = (file: string, kept: string, { variable, ifLost }: KeptSecret, isNew: boolean) => {
  const what = kept === '' ? 'is empty.' : `is damaged: its ${kept.length} characters are not a complete secret.`
  const how = isNew ? 'Nothing depends on it yet: delete it, and a new one is created.' : ifLost
  return `${file} ${what} Put your copy of it back, or set ${variable}. ${how}`
}
