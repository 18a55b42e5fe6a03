/** Finds or creates the file of the sandbox's movements that belongs to this database. */
import { randomUUID } from 'node:crypto'
import { link, mkdir, open, realpath, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { DomainError } from '../../kit/errors.ts'
import { autocommit, transact, type Tx } from '../../kit/server/db.ts'
import { openPause } from '../../kit/server/pauses.ts'
import { headLine, lineOf, type Movements, openMovements } from './movements.ts'
import * as queries from './sandbox.queries.ts'

type Place = { path: string | undefined; dataDir: string }

let place: Place | undefined
let opened: Movements | undefined

/** Where to look for the file: SANDBOX_FILE, else DATA_DIR. */
export const useSandboxFile = async (next: Place): Promise<void> => {
  await closeSandboxFile()
  place = next
  await assertNotElsewhere(next)
  opened = await find(next)
}

export const closeSandboxFile = async (): Promise<void> => {
  await opened?.close()
  opened = undefined
  place = undefined
}

class WrongFile extends Error {}

const unavailable = (more: { cause?: Error } = {}) =>
  new DomainError('UNAVAILABLE', 'Payments are not possible at the moment. Nothing was charged or paid out.', {
    retryAfterSeconds: 300,
    ...more,
  })

/**
 * Throws UNAVAILABLE in a restored copy that found no file, or that of another database; the log says which. Without the file, it
 * would pay again what was already paid.
 */
export const sandboxMovements = async (): Promise<Movements> => {
  if (!place) throw new Error('useSandboxFile() first')
  try {
    opened ??= await find(place)
  } catch (error) {
    throw error instanceof WrongFile ? unavailable({ cause: error }) : error
  }
  if (opened) return opened
  throw unavailable()
}

/** Where to look for the file, in this order. A restore links it into the data folder. */
const placesOf = ({ path, dataDir }: Place, id: string | undefined): string[] => {
  if (path) return [resolve(path)]
  return id === undefined ? [] : [ownPath(dataDir, id), join(dataDir, 'sandbox.jsonl')]
}

const ownPath = (dataDir: string, id: string) => join(dataDir, `sandbox-${id}.jsonl`)

/** For commands, which also read it where it was last. */
export const sandboxPaths = async (where: Place): Promise<string[]> => {
  const known = await queries.sandboxFile(autocommit)
  return [...placesOf(where, known?.id), ...(known?.path ? [known.path] : [])]
}

/** Servers that start at once with separate data folders must not create a file each. */
const find = async (where: Place): Promise<Movements | undefined> =>
  (await findIn(autocommit, where)) ??
  (await transact(async tx => {
    await queries.holdSandboxFile(tx)
    return (await findIn(tx, where)) ?? (await makeIn(tx, where))
  }))

const isRestored = async (tx: Tx) => (await openPause(tx))?.reason === 'RESTORED'

const findIn = async (tx: Tx, where: Place): Promise<Movements | undefined> => {
  const known = await queries.sandboxFile(tx)
  // Another server of this machine, or a restore, may keep the file elsewhere, and a second file would not know its movements. A
  // restored copy has to be told where its file is.
  const last = !known?.path || (await isRestored(tx)) ? [] : [known.path]
  for (const candidate of [...placesOf(where, known?.id), ...last]) {
    const found = await openMovements(candidate, { write: true })
    if (found) return belonging(tx, found)
  }
  return undefined
}

/**
 * Checked at the start, when somebody reads the message. A restored copy learns of its file from a command while it runs;
 * `assertStartsWith` makes sure that its next start finds the file.
 */
const assertNotElsewhere = async ({ path }: Place): Promise<void> => {
  const from = (await queries.sandboxFile(autocommit))?.path
  if (!path || !from || from === resolve(path) || (await isRestored(autocommit))) return
  if ((await isThere(resolve(path))) || !(await isThere(from))) return
  throw new Error(
    `SANDBOX_FILE is ${resolve(path)}, but the sandbox’s movements of this database are in ${from}. Move that file there, or set SANDBOX_FILE to where it is.`,
  )
}

/** Checks the file that a command is about to use for a restored copy, because the server's next start would refuse another one. */
export const assertStartsWith = async (named: string | undefined, { path }: Pick<Movements, 'path'>): Promise<void> => {
  if (!named || (await isSameFile(named, path))) return
  throw new Error(
    `The provider’s file is ${resolve(path)}, but SANDBOX_FILE is ${resolve(named)}, and no server would start with that. Put the file there, or set SANDBOX_FILE to where it is, here and for the servers.`,
  )
}

/** Either of them may be a symbolic link, or be reached through one: a restore links the file into the data folder. */
const isSameFile = async (one: string, other: string): Promise<boolean> => (await realOf(one)) === (await realOf(other))

const realOf = (path: string) =>
  realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return resolve(path)
    throw error
  })

const isThere = async (path: string): Promise<boolean> => {
  const found = await openMovements(path, { write: false })
  await found?.close()
  return found !== undefined
}

const makeIn = async (tx: Tx, where: Place): Promise<Movements | undefined> => {
  if (await isRestored(tx)) return undefined
  const id = (await queries.sandboxFile(tx))?.id ?? randomUUID()
  const path = where.path ? resolve(where.path) : ownPath(where.dataDir, id)
  await make(tx, path, id)
  const made = await openMovements(path, { write: true })
  if (!made) throw new Error(`${path} is a link to a file that does not exist. Put the file there, or remove the link.`)
  return belonging(tx, made)
}

const belonging = async (tx: Tx, found: Movements): Promise<Movements> => {
  try {
    await claimFile(tx, found)
    return found
  } catch (error) {
    await found.close()
    throw error
  }
}

/** Notes where the file is. Two databases must not use each other's movements. */
export const claimFile = async (tx: Tx, { id, path }: Pick<Movements, 'id' | 'path'>): Promise<void> => {
  const known = await queries.keepSandboxFile(tx, { id, path })
  if (known === id) return
  throw new WrongFile(
    `${path} holds the sandbox’s movements of another database (${id}, not ${known}). Set SANDBOX_FILE to the file of this one.`,
  )
}

/** Creates the file with the earlier movements that the database knows, completely or not at all. */
const make = async (tx: Tx, path: string, id: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomUUID()}`
  const file = await open(draft, 'w', 0o600)
  await file.write(headLine(id))
  for await (const movements of queries.knownMovements(tx)) await file.write(movements.map(lineOf).join(''))
  await file.sync()
  await file.close()
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  const folder = await open(dirname(path), 'r')
  await folder.sync()
  await folder.close()
}
