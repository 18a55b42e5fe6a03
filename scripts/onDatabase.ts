/** Runs commands on the given database, or on the embedded one in DATA_DIR, whether or not a server is running on it. */
import { type Env, readEnv } from '../src/app/server/env.ts'
import { runningDatabase } from '../src/app/server/runningDatabase.ts'
import { connect, disconnect } from '../src/kit/server/db.ts'
import { say } from './command.ts'

/** Only the variables that say where things are, since a command does not need a complete production environment. */
export const environment = (): Env => {
  const { DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_MIGRATION_URL, DATA_DIR, SANDBOX_FILE } = process.env
  const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_BASE } = process.env
  return readEnv({
    DATABASE_URL,
    DATABASE_DIRECT_URL,
    DATABASE_MIGRATION_URL,
    DATA_DIR,
    SANDBOX_FILE,
    STRIPE_SECRET_KEY,
    STRIPE_WEBHOOK_SECRET,
    STRIPE_API_BASE,
  })
}

/** Runs `work` on the database of a server that may be running; with `mayMake`, creates a database if there is none yet. */
export const onDatabase = async (env: Env, work: () => Promise<void>, { mayMake = false } = {}): Promise<void> => {
  const database = await runningDatabase(env, say, { mayMake })
  try {
    connect({ url: database.url, max: 1 })
    await work()
  } finally {
    await disconnect()
    await database.stop()
  }
}
