import { DatabaseSync } from 'node:sqlite'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ownLike } from './identity.ts'
import { isRunning } from './processes.ts'

/** Another server holds this data folder. The message is for whoever started this one. */
export class DataFolderInUse extends Error {
  override name = 'DataFolderInUse'
}

type FolderLock = { release: () => void }

const sqliteBusy = 5

/** Referenced here, because a garbage-collected connection would release its lock. */
const heldByUs = new Set<DatabaseSync>()

/**
 * Takes the data folder for this process, or throws DataFolderInUse.
 *
 * The lock is a file lock of the operating system, taken through SQLite because Node has no call for one: it is released
 * when the process dies for whatever reason, cannot be taken twice in a race, and works between containers that share a
 * volume, where pids mean nothing. The pid in `server.pid` is only for the message.
 */
export const lockDataFolder = async (dataDir: string): Promise<FolderLock> => {
  const lockPath = join(dataDir, 'server.lock')
  const pidPath = join(dataDir, 'server.pid')
  const database = await take(lockPath)
  if (!database) {
    throw new DataFolderInUse(
      `The data folder ${dataDir} is in use by another Fieldtest server${await holder(pidPath)}. ` +
        'Stop it first, or set DATA_DIR to another folder.',
    )
  }
  writeFileSync(pidPath, `${process.pid}\n`)
  ownLike(dataDir, [lockPath, pidPath])
  heldByUs.add(database)
  return {
    release: () => {
      if (!heldByUs.delete(database)) return
      rmSync(pidPath, { force: true })
      database.close()
    },
  }
}

/** Retries briefly, because a server that was just killed holds its lock until the system has cleaned up. */
const take = async (lockPath: string) => {
  for (let attempt = 0; attempt < 10; attempt++) {
    const database = new DatabaseSync(lockPath)
    try {
      database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
      return database
    } catch (error) {
      database.close()
      if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error
    }
    await pause(40)
  }
  return undefined
}

/** The holder writes its pid just after taking the lock; until then the file may have a dead server's pid. */
const holder = async (pidPath: string) => {
  for (let attempt = 0; attempt < 10; attempt++) {
    const pid = readPid(pidPath)
    if (pid !== undefined && isRunning(pid)) return ` (process ${pid})`
    await pause(20)
  }
  return ''
}

const readPid = (path: string) => {
  try {
    const pid = Number(readFileSync(path, 'utf8').trim())
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}
