/** The migrated database for commands, whether or not a server runs on it. They sign in as the role that owns the tables. */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { clusterExists, openDatabase as openCluster, superuserUrl } from '../../kit/postgres/cluster.ts'
import { DataFolderInUse, startPostgres } from '../../kit/postgres/embedded.ts'
import { migrate } from '../../kit/server/migrate.ts'
import { type Database, ownerUrlOf } from './database.ts'
import type { Env } from './env.ts'

const nothing = async () => undefined

/** The database of the server that is running on this data folder, found through PostgreSQL's pid file. */
const sharedDatabase = async (dataDir: string): Promise<Database> => {
  const cluster = join(dataDir, 'postgres')
  const [, , , port, , , , status] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')
  if (status?.trim() !== 'ready')
    throw new Error('The server on this data folder is still starting. Try again in a moment.')
  const backupSource = { replicationUrl: superuserUrl(cluster, Number(port)), embedded: true }
  const { ownerUrl } = await openCluster(cluster, Number(port), false)
  return { url: ownerUrl, ownerUrl, backupSource, stop: nothing }
}

/**
 * With `mayMake`, makes a database in a new folder. For other commands, a missing database means that the folder was mistyped.
 */
export const runningDatabase = async (
  env: Pick<Env, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_MIGRATION_URL' | 'DATA_DIR'>,
  say: (line: string) => void,
  { mayMake = false } = {},
): Promise<Database> => {
  const given = ownerUrlOf(env)
  if (given) {
    await migrate(given, { say })
    return { url: given, ownerUrl: given, backupSource: { replicationUrl: given, embedded: false }, stop: nothing }
  }
  if (!mayMake && !clusterExists(join(env.DATA_DIR, 'postgres'))) {
    const folder = resolve(env.DATA_DIR)
    throw new Error(`There is no database in ${folder}. Set DATA_DIR to the folder where the server keeps its data.`)
  }
  const postgres = await startPostgres({ dataDir: env.DATA_DIR, log: say }).catch((error: unknown) => {
    if (error instanceof DataFolderInUse) return null
    throw error
  })
  // The running server has already migrated the database, so the command shares it.
  if (postgres === null) return sharedDatabase(env.DATA_DIR)
  const { connectionString: url, superuserString: replicationUrl, stop } = postgres
  try {
    await migrate(url, { say })
  } catch (error) {
    // Otherwise the command would never end, and keep the folder.
    await stop()
    throw error
  }
  return { url, ownerUrl: url, backupSource: { replicationUrl, embedded: true }, stop }
}
