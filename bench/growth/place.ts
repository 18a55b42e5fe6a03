/** Where the seeded database is: on a given PostgreSQL, or on an embedded one with a folder of its own. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../src/kit/postgres/embedded.ts'
import { unlimited } from '../../src/kit/server/limits.ts'
import { urlOf } from '../../src/testing/databases.ts'

type Wanted = { url?: string | undefined; folder?: string | undefined }

export type Seeded = { url: string; db: pg.Client }

/** Creates the databases that are missing, and keeps them afterwards. */
export const onDatabases = async (
  { url: given = process.env.DATABASE_URL, folder = join(tmpdir(), 'fieldtest-growth') }: Wanted,
  names: readonly string[],
  work: (seeded: Seeded[]) => Promise<void>,
): Promise<void> => {
  const postgres = given === undefined ? await startPostgres({ dataDir: folder, durable: false }) : undefined
  const places: Seeded[] = []
  try {
    for (const name of names) places.push(await opened(given ?? postgres!.connectionString, name))
    await work(places)
  } finally {
    for (const { db } of places) await db.end()
    await postgres?.stop()
  }
}

const opened = async (serverUrl: string, database: string): Promise<Seeded> => {
  if (!/^\w+$/.test(database)) throw new Error(`${database} is no plain name of a database`)
  const server = new pg.Client({ connectionString: serverUrl })
  await server.connect()
  const { rowCount } = await server.query('select from pg_database where datname = $1', [database])
  if (!rowCount) await server.query(`create database ${database}`)
  await server.end()
  const url = urlOf(serverUrl, database)
  const db = new pg.Client({ connectionString: url, options: unlimited })
  await db.connect()
  return { url, db }
}
