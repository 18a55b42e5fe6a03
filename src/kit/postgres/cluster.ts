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
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { runGuarded } from './guarded.ts'
import { giveTo, type Identity, scratchPrefix } from './identity.ts'
import type { LogFile } from './logfile.ts'

/** PostgreSQL's superuser; the product connects as `appName`, which owns its database and nothing else. */
const superuserName = 'postgres'
const appName = 'fieldtest'
/** Kept inside the cluster, so that a cluster and its password are created, moved and deleted together. */
const passwordFileName = 'fieldtest-password'

export const clusterExists = (cluster: string) => existsSync(join(cluster, 'PG_VERSION'))

/**
 * Creates the cluster in a temporary folder and renames it when it is complete: it exists entirely or not at all.
 * The collation is PostgreSQL's own C.UTF-8, the same on every machine, so that no system update can corrupt an index.
 */
export const createCluster = async (
  place: { dataDir: string; cluster: string; initdb: string; durable: boolean },
  identity: Identity,
  logFile: LogFile,
): Promise<void> => {
  if (existsSync(place.cluster) && readdirSync(place.cluster).length > 0) {
    throw new Error(
      `${place.cluster} is no database, but it is not empty either. Move it away, or set DATA_DIR to another folder.`,
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
    if (locale.length === 0) throw new Error(`initdb failed (${why}): ${logFile.newest(3)}`)
    rmSync(made, { recursive: true, force: true })
  }
  writePassword(made, password, identity)
  renameSync(made, place.cluster)
  syncFolder(place.dataDir)
  rmSync(scratch, { recursive: true, force: true })
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

/**
 * Creates the product's role and database if they are missing: in a new cluster, or in one whose first start was killed
 * earlier than that. Resolves with the connection string.
 */
export const openDatabase = async (cluster: string, port: number, isNew: boolean): Promise<string> => {
  const password = readFileSync(join(cluster, passwordFileName), 'utf8').trim()
  const at = (user: string, database: string) => ({ host: '127.0.0.1', port, user, password, database })
  if (isNew || !(await canConnect(at(appName, appName)))) {
    const superuser = new pg.Client(at(superuserName, 'postgres'))
    await superuser.connect()
    try {
      await createRoleAndDatabase(superuser, password)
    } finally {
      await superuser.end()
    }
  }
  return `postgres://${appName}:${password}@127.0.0.1:${port}/${appName}`
}

const createRoleAndDatabase = async (superuser: pg.Client, password: string) => {
  const role = await superuser.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [appName])
  // CREATEDB lets tests clone databases. Not a superuser, so SQL cannot read files or start programs.
  const verb = role.rowCount === 0 ? 'CREATE' : 'ALTER'
  await superuser.query(`${verb} ROLE ${appName} LOGIN CREATEDB PASSWORD '${password}'`)
  const database = await superuser.query('SELECT 1 FROM pg_database WHERE datname = $1', [appName])
  if (database.rowCount === 0) await superuser.query(`CREATE DATABASE ${appName} OWNER ${appName}`)
}

/** False when the role (28P01) or the database (3D000) does not exist yet. */
const canConnect = async (config: pg.ClientConfig) => {
  const client = new pg.Client(config)
  try {
    await client.connect()
    await client.end()
    return true
  } catch (error) {
    if (['28P01', '3D000'].includes((error as { code?: string }).code ?? '')) return false
    throw error
  }
}
