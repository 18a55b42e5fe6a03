/**
 * Migrations: plain SQL in /migrations (decisions 003 and 047). The numbered files only go forward, and each is applied once.
 * After them, each function of /migrations/functions whose text has changed is applied again. An advisory lock lets several
 * servers start at once; hashes reveal a numbered file that was changed after it had been applied.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { clock } from '../clock.ts'
import { newClient } from '../postgres/client.ts'
import { wholeLocks } from './advisoryLocks.ts'
import { setRoleLimits } from './limits.ts'
import {
  applyFunctions,
  applyMigration,
  changedFunctions,
  type Hashes,
  hashesOf,
  patience,
  type Run,
} from './migrationRun.ts'
import { type MigrationSet, newestOf, numberOf, readMigrations, type SqlFile } from './migrationFiles.ts'
import { recordRelease, refuseNewerSchema, refuseSkippedRelease, releaseOfSchema } from './releases.ts'
import { projectRoot } from './root.ts'
import { otherOwner, refuseOtherOwner } from './tableOwner.ts'

const turnEveryMs = 100

export const migrationFolder = join(projectRoot, 'migrations')

type Options = Partial<Pick<Run, 'say' | 'patience'>> & { folder?: string }

/**
 * Brings the database up to date; gives the files that were applied. Throws when an applied numbered file was changed,
 * when the database was made by another set of migrations or is too new for this one, when servers run that are too old for
 * it, when it would change tables of another role, and when a file fails, of which nothing is kept.
 */
export const migrate = async (
  url: string,
  { folder = migrationFolder, say = () => undefined, patience: given = patience }: Options = {},
): Promise<string[]> => {
  const set = await readMigrations(folder)
  const client = newClient({ connectionString: url })
  await client.connect()
  try {
    await takeTurn(client)
    await makeRecords(client)
    const applied = await bringUpToDate({ client, say, patience: given, release: set.release }, set)
    await setRoleLimits(client)
    return applied
  } finally {
    // Ends the session and with it the lock.
    await client.end()
  }
}

/** Polls, because creating an index concurrently would wait for any server that waits inside a statement. */
export const takeTurn = async (client: pg.Client): Promise<void> => {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      wholeLocks.MIGRATIONS,
    ])
    if (rows[0]!.mine) return
    await pause(turnEveryMs)
  }
}

const makeRecords = (client: pg.Client) =>
  client.query(`
    create table if not exists schema_migrations (name text primary key, hash text not null, applied_at timestamptz not null);
    create table if not exists schema_functions (name text primary key, hash text not null, applied_at timestamptz not null);
    create table if not exists schema_releases (release int primary key, began_at timestamptz not null);
    do $$ begin
      if not exists (select from pg_attribute where attrelid = 'schema_functions'::regclass and attname = 'release') then
        alter table schema_functions add column release int;
      end if;
    end $$`)

const bringUpToDate = async (run: Run, { migrations, functions, release }: MigrationSet): Promise<string[]> => {
  const { client } = run
  const recorded = await hashesOf(client, 'select name, hash from schema_migrations')
  const schema = await releaseOfSchema(client)
  refuseOtherSet(migrations, recorded)
  refuseNewerSchema(release, schema)
  const missing = migrations.filter(migration => !isApplied(migration, recorded))
  // The functions of a newer release belong to its tables.
  const isOld = schema > release || isOlderThan(recorded, migrations)
  // Asked for again after the migrations, which may drop some.
  const changed = async () => (isOld ? [] : changedFunctions(client, functions))
  const isBehind = release > schema || missing.length > 0 || (await changed()).length > 0
  const other = isBehind ? await otherOwner(client) : undefined
  if (other && !other.isMember) refuseOtherOwner(other)
  if (release > schema) {
    await refuseSkippedRelease(client, release)
    await recordRelease(client, release, clock.now())
  }
  for (const migration of missing) await applyMigration(run, migration)
  const functionsNow = await changed()
  await applyFunctions(run, functionsNow)
  return [...missing.map(({ name }) => name), ...functionsNow.map(({ name }) => `functions/${name}`)]
}

/** The database has a numbered migration that is newer than all of this release's. */
const isOlderThan = (recorded: Hashes, migrations: SqlFile[]) =>
  [...recorded.keys()].some(name => numberOf(name) > newestOf(migrations))

/** Migrations recorded up to our newest number must be ours; those beyond it are a newer release's. */
const refuseOtherSet = (migrations: SqlFile[], recorded: Hashes) => {
  const ours = new Set(migrations.map(({ name }) => name))
  const foreign = [...recorded.keys()].find(name => !ours.has(name) && numberOf(name) <= newestOf(migrations))
  if (foreign !== undefined) {
    throw new Error(
      `This database was created by a different set of migrations: it has ${foreign}, which this release does not have. ` +
        'Move DATA_DIR away, or set DATABASE_URL to an empty database.',
    )
  }
}

const isApplied = (migration: SqlFile, recorded: Hashes) => {
  const hash = recorded.get(migration.name)
  if (hash !== undefined && hash !== migration.hash) {
    throw new Error(`migrations/${migration.name} was changed after it was applied. Add a new migration instead.`)
  }
  return hash !== undefined
}
