/** Opens the database. In a file of its own so that `npm run dev` can start it without loading the server. */
import { startPostgres } from '../../kit/postgres/embedded.ts'
import { refusePoolers } from '../../kit/server/poolers.ts'
import type { Env } from './env.ts'

export type Database = { url: string; stop: () => Promise<void> }

/** The configured database, or an embedded one in the data folder. */
export const openDatabase = async (
  env: Pick<Env, 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'PREPARED_STATEMENTS' | 'DATA_DIR'>,
  { log, onUnexpectedExit }: { log: (line: string) => void; onUnexpectedExit: (why: string) => void },
): Promise<Database> => {
  if (env.DATABASE_URL) {
    await refusePoolers(env.DATABASE_URL, env.DATABASE_DIRECT_URL, env.PREPARED_STATEMENTS)
    return { url: env.DATABASE_URL, stop: async () => undefined }
  }
  const postgres = await startPostgres({ dataDir: env.DATA_DIR, log, onUnexpectedExit })
  return { url: postgres.connectionString, stop: postgres.stop }
}
