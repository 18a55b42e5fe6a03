import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { newClient } from './client.ts'
import { runGuarded } from './guarded.ts'
import { giveTo, type Identity, scratchPrefix } from './identity.ts'
import type { LogFile } from './logfile.ts'

/**
 * PostgreSQL's superuser. `ownerName` owns the database `databaseName`, and nothing else; the product connects as `productName`.
 */
const superuserName = 'postgres'
const ownerName = 'fieldtest'
const productName = 'fieldtest_app'
const databaseName = 'fieldtest'
/** Stored inside the cluster, so a cluster and its password are created, moved and deleted together. */
const passwordFileName = 'fieldtest-password'

export const clusterExists = (cluster: string) => existsSync(join(cluster, 'PG_VERSION'))

/**
 * Creates the cluster in a temporary folder and renames it when it is complete, so it exists entirely or not at all. The
 * collation is PostgreSQL's own C.UTF-8, the same on every machine, so no system update can corrupt an index.
 */
export const createCluster = async (
  place: { dataDir: string; cluster: string; initdb: string; durable: boolean; minFreeMb: number },
  identity: Identity,
  logFile: LogFile,
): Promise<void> => {
  if (existsSync(place.cluster) && readdirSync(place.cluster).length > 0) {
    throw new Error(
      `${place.cluster} is neither a database nor empty. Move it away, or set DATA_DIR to another folder.`,
    )
  }
  const scratch = mkdtempSync(join(place.dataDir, scratchPrefix))
  const made = join(scratch, 'cluster')
  const passwordFile = join(scratch, 'password')
  const password = randomBytes(24).toString('hex')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  giveTo(identity, scratch)
  const initdb = [
    place.initdb,
    '-D',
    made,
    '-U',
    superuserName,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-locale',
    '--no-instructions',
    ...(place.durable ? [] : ['--no-sync']),
  ]
  // The system's C.UTF-8 makes text search and trigrams handle letters beyond ASCII; nearly every system has it.
  for (const locale of [['--lc-ctype=C.UTF-8'], []]) {
    const run = await runGuarded(identity, 'TERM', [...initdb, ...locale], logFile.fd)
    const why = await run.ended
    if (why === 'exit code 0') break
    if (locale.length === 0)
      throw new Error(`initdb failed (${why}): ${logFile.newest(3)}${lackOfRoom(place.dataDir, place.minFreeMb)}`)
    rmSync(made, { recursive: true, force: true })
  }
  writePassword(made, password, identity)
  renameSync(made, place.cluster)
  syncFolder(place.dataDir)
  rmSync(scratch, { recursive: true, force: true })
}

/** A full disk is the most likely reason, and initdb's last lines do not name it. */
const lackOfRoom = (dataDir: string, minFreeMb: number): string => {
  const { bavail, bsize } = statfsSync(dataDir)
  const freeMb = Math.trunc((bavail * bsize) / 1024 ** 2)
  if (freeMb >= minFreeMb) return ''
  return `\nThe disk of ${dataDir} has only ${freeMb} MB left, and a database needs ${minFreeMb}. Free up space, or set DATA_DIR to a folder on another disk.`
}

const writePassword = (cluster: string, password: string, identity: Identity) => {
  const path = join(cluster, passwordFileName)
  writeFileSync(path, password, { mode: 0o600, flush: true })
  chmodSync(path, 0o600)
  giveTo(identity, path)
  syncFolder(cluster)
}

const syncFolder = (path: string) => {
  const fd = openSync(path, 'r')
  fsyncSync(fd)
  closeSync(fd)
}

const passwordOf = (cluster: string) => readFileSync(join(cluster, passwordFileName), 'utf8').trim()

/** The cluster has to be running. */
export const superuserUrl = (cluster: string, port: number): string =>
  `postgres://${superuserName}:${passwordOf(cluster)}@127.0.0.1:${port}/postgres`

export type DatabaseUrls = { productUrl: string; ownerUrl: string }

/**
 * Creates roles and database if they are missing: in a new cluster, in one whose first start was killed before this, and in one
 * from before the product had its own role.
 */
export const openDatabase = async (cluster: string, port: number, isNew: boolean): Promise<DatabaseUrls> => {
  const password = passwordOf(cluster)
  const at = (user: string, database: string) => ({ host: '127.0.0.1', port, user, password, database })
  // The product's role is created last, so if it can connect, nothing is missing.
  if (isNew || !(await canConnect(at(productName, databaseName)))) {
    const superuser = newClient(at(superuserName, 'postgres'))
    await superuser.connect()
    try {
      await createRolesAndDatabase(superuser, password)
    } finally {
      await superuser.end()
    }
  }
  const urlFor = (user: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${databaseName}`
  return { productUrl: urlFor(productName), ownerUrl: urlFor(ownerName) }
}

const createRolesAndDatabase = async (superuser: pg.Client, password: string) => {
  const roleMade = async (name: string, options: string) => {
    const { rowCount } = await superuser.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name])
    return `${rowCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${name} LOGIN ${options} PASSWORD '${password}'`
  }
  // Stretching 24 random bytes makes them no harder to guess, and would take half of the time in which a connection opens.
  await superuser.query('SET scram_iterations = 1')
  // CREATEDB lets tests clone databases. Not a superuser, so SQL cannot read files or start programs.
  await superuser.query(await roleMade(ownerName, 'CREATEDB'))
  const { rowCount } = await superuser.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName])
  if (rowCount === 0) await superuser.query(`CREATE DATABASE ${databaseName} OWNER ${ownerName}`)
  // Both in one transaction. The owner may act as the product, but not the other way round.
  await superuser.query(`${await roleMade(productName, '')}; GRANT ${productName} TO ${ownerName}`)
}

/** False if the role (28P01) or the database (3D000) does not exist yet. */
const canConnect = async (config: pg.ClientConfig) => {
  const client = newClient(config)
  try {
    await client.connect()
    await client.end()
    return true
  } catch (error) {
    if (['28P01', '3D000'].includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}
