/** Opens the database. In a file of its own so that `npm run dev` can start it without loading the server. */
import type { Source } from '../../backups/server/bases.ts'
import { startPostgres } from '../../kit/postgres/embedded.ts'
import { refuseUnfinishedRestore } from '../../kit/postgres/unfinishedRestore.ts'
import { refusePoolers } from '../../kit/server/poolers.ts'
import type { Env } from './env.ts'

export type Database = {
  /** For the product's own role, if it has one. */
  url: string
  /** For the role that owns and migrates the tables; bypasses any pooler. */
  ownerUrl: string
  /** For a role that may replicate; bypasses any pooler. */
  backupSource: Source
  stop: () => Promise<void>
}

type Urls = Pick<Env, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_MIGRATION_URL'>

/** For the role that migrates; bypasses any pooler. Undefined for the embedded database. */
export const ownerUrlOf = (env: Urls): string | undefined =>
  env.DATABASE_MIGRATION_URL ?? env.DATABASE_DIRECT_URL ?? env.DATABASE_URL

/** The configured database, or an embedded one in the data folder. */
export const openDatabase = async (
  env: Urls & Pick<Env, 'PREPARED_STATEMENTS' | 'DATA_DIR' | 'MIN_FREE_DISK_MB'>,
  { log, onUnexpectedExit }: { log: (line: string) => void; onUnexpectedExit: (why: string) => void },
): Promise<Database> => {
  if (env.DATABASE_URL) {
    refuseUnfinishedRestore(env.DATA_DIR)
    await refusePoolers(env.DATABASE_URL, {
      directUrl: env.DATABASE_DIRECT_URL,
      migrationUrl: env.DATABASE_MIGRATION_URL,
      preparedStatements: env.PREPARED_STATEMENTS,
    })
    const ownerUrl = ownerUrlOf(env)!
    return {
      url: env.DATABASE_URL,
      ownerUrl,
      backupSource: { replicationUrl: ownerUrl, embedded: false },
      stop: async () => undefined,
    }
  }
  const postgres = await startPostgres({
    dataDir: env.DATA_DIR,
    minFreeMb: env.MIN_FREE_DISK_MB,
    log,
    onUnexpectedExit,
  })
  const backupSource = { replicationUrl: postgres.superuserString, embedded: true }
  const { productString: url, connectionString: ownerUrl, stop } = postgres
  return { url, ownerUrl, backupSource, stop }
}
