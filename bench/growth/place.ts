/** Where the seeded database is: on a PostgreSQL that is given, or on an embedded one with a folder of its own. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../src/kit/postgres/embedded.ts'
import { unlimited } from '../../src/kit/server/limits.ts'
import { urlOf } from '../../src/testing/databases.ts'

type Wanted = { database: string; url?: string | undefined; folder?: string | undefined }

export type Seeded = { url: string; db: pg.Client }

/** Makes the database if it is missing, and leaves it when done. */
export const onDatabase = async (
  { database, url: given = process.env.DATABASE_URL, folder = join(tmpdir(), 'fieldtest-growth') }: Wanted,
  work: (seeded: Seeded) => Promise<void>,
): Promise<void> => {
  if (!/^\w+$/.test(database)) throw new Error('--database must be a plain name')
  const postgres = given === undefined ? await startPostgres({ dataDir: folder, durable: false }) : undefined
  try {
    const serverUrl = given ?? postgres!.connectionString
    const server = new pg.Client({ connectionString: serverUrl })
    await server.connect()
    const { rowCount } = await server.query('select from pg_database where datname = $1', [database])
    if (!rowCount) await server.query(`create database ${database}`)
    await server.end()
    const url = urlOf(serverUrl, database)
    const db = new pg.Client({ connectionString: url, options: unlimited })
    await db.connect()
    try {
      await work({ url, db })
    } finally {
      await db.end()
    }
  } finally {
    await postgres?.stop()
  }
}
