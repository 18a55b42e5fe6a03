import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EmbeddedPostgres, startPostgres } from '../../kit/postgres/embedded.ts'
import { readEnv } from './env.ts'
import { runningDatabase } from './runningDatabase.ts'

let dataDir: string
const started: EmbeddedPostgres[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'fieldtest-command-'))
})
afterEach(async () => {
  for (const postgres of started.splice(0)) await postgres.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const start = async () => {
  const postgres = await startPostgres({ dataDir, durable: false })
  started.push(postgres)
  return postgres
}

test('a command that cannot migrate the database stops it and releases the data folder', async () => {
  const before = await start()
  const client = new pg.Client({ connectionString: before.connectionString })
  await client.connect()
  await client.query(`
    create table schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null);
    insert into schema_migrations values ('001-foreign.sql', '', now())`)
  await client.end()
  await before.stop()
  await expect(runningDatabase(readEnv({ DATA_DIR: dataDir }), () => undefined)).rejects.toThrow(
    'This database was created by a different set of migrations: it has 001-foreign.sql',
  )
  await expect(start()).resolves.toBeDefined()
})

test('a command on a folder without a database makes none, unless it is a command that may', async () => {
  const env = readEnv({ DATA_DIR: join(dataDir, 'mistyped') })
  await expect(runningDatabase(env, () => undefined)).rejects.toThrow(
    `There is no database in ${join(dataDir, 'mistyped')}.`,
  )
  expect(await readdir(dataDir)).toEqual([])
  const database = await runningDatabase(env, () => undefined, { mayMake: true })
  await database.stop()
})
