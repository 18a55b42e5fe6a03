/** Resets an application's database and data folder to what they were when it started, for tests that share one. */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { useSandboxFile } from '../ledger/server/ledger.ts'
import { superuserOf } from './plans.ts'

export type Restorable = {
  restore: () => Promise<void>
  /** Whether the schema is unchanged: rows can be put back, but tables cannot. */
  hasItsSchema: () => Promise<boolean>
  close: () => Promise<void>
}

const ownTables = `pg_class where relnamespace::regnamespace::text in ('public', 'pgboss') and relkind in ('r', 'p')`

const columnsOf = `(select string_agg(quote_ident(attname), ', ') from pg_attribute
    where attrelid = oid and attnum > 0 and not attisdropped and attgenerated = '')`

type Table = { name: string; kept: string; columns: string }

/** Tables that have had rows. */
const usedTables = async (client: pg.Client): Promise<Table[]> =>
  (
    await client.query<Table>(`select oid::regclass::text as name, 'kept_' || oid as kept, ${columnsOf} as columns
      from ${ownTables} and relkind = 'r' and pg_relation_size(oid) > 0`)
  ).rows

/** Uses temporary tables, which no other connection sees. */
const keepRows = async (client: pg.Client): Promise<Table[]> => {
  const used = await usedTables(client)
  const statements = used.map(
    ({ name, kept, columns }) => `create temp table ${kept} as select ${columns} from ${name}`,
  )
  await client.query(statements.join(';'))
  return used
}

/** As for a new table, the planner then knows neither its pages nor its values. */
const forget = `with used as (select c.oid, nspname, relname from pg_class c join pg_namespace n on n.oid = relnamespace
    where c.oid::regclass::text = any($1)),
  forgotten as materialized (select pg_clear_attribute_stats(nspname, relname, attname, stainherit) from used
    join pg_statistic on starelid = used.oid join pg_attribute on attrelid = used.oid and attnum = staattnum)
  select pg_clear_relation_stats(nspname, relname), (select count(*) from forgotten) from used`

/**
 * Sequences are not reset, so that new numbers stay larger than old ones. Emptied tables are vacuumed, so that rows lie in the
 * order in which they are inserted, and the statistics are those of new tables.
 */
const putRowsBack = async (client: pg.Client, kept: readonly Table[]): Promise<void> => {
  const names = (await usedTables(client)).map(({ name }) => name)
  await client.query(names.map(name => `delete from ${name}`).join(';'))
  await client.query(`vacuum ${names.join(', ')}`)
  await client.query(forget, [names])
  const statements = kept.map(
    ({ name, kept: from, columns }) => `insert into ${name} (${columns}) overriding system value select * from ${from}`,
  )
  await client.query(statements.join(';'))
}

const foldersIn = async (place: string) =>
  (await readdir(place, { withFileTypes: true })).filter(entry => entry.isDirectory()).map(({ name }) => name)

const schemaOf = async (client: pg.Client) => (await client.query<{ md5: string }>(schema)).rows[0]!.md5

/** A job may have added partitions, which do no harm. */
const partitionsOf = async (client: pg.Client) =>
  (await client.query<{ name: string }>(`select relname as name from ${ownTables} and relispartition`)).rows.map(
    ({ name }) => name,
  )

const schema = `select md5(concat(
    (select string_agg(concat_ws(' ', c.oid, relname, relowner, relacl::text, attname, atttypid, attnotnull), ',' order by c.oid, attnum)
      from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0
      where relnamespace::regnamespace::text in ('public', 'pgboss') and not relispartition),
    (select string_agg(concat_ws(' ', t.oid, tgenabled), ',' order by t.oid) from pg_trigger t
      join pg_class c on c.oid = tgrelid and not relispartition where not tgisinternal),
    (select string_agg(concat_ws(' ', k.oid, convalidated), ',' order by k.oid) from pg_constraint k
      left join pg_class c on c.oid = conrelid where relispartition is not true and k.connamespace::regnamespace::text in ('public', 'pgboss')),
    (select string_agg(concat_ws(' ', oid, proname, proowner, proacl::text, md5(prosrc)), ',' order by oid) from pg_proc
      where pronamespace::regnamespace::text in ('public', 'pgboss'))))`

export const restorable = async ({
  databaseUrl,
  dataDir,
}: {
  databaseUrl: string
  dataDir: string
}): Promise<Restorable> => {
  const client = new pg.Client({ connectionString: superuserOf(databaseUrl) })
  // The connection is still open when PostgreSQL stops after all tests, and that is no error.
  client.on('error', () => undefined)
  await client.connect()
  // Switches off triggers and foreign keys: they constrain the application, while rows are restored here in any order.
  await client.query(`set session_replication_role = replica`)
  const kept = await keepRows(client)
  const first = {
    schema: await schemaOf(client),
    partitions: await partitionsOf(client),
    folders: await foldersIn(dataDir),
  }
  return {
    restore: async () => {
      await putRowsBack(client, kept)
      for (const entry of await readdir(dataDir, { withFileTypes: true })) {
        const { name } = entry
        if (entry.isDirectory() || name.startsWith('sandbox-')) await rm(join(dataDir, name), { recursive: true })
      }
      for (const name of first.folders) await mkdir(join(dataDir, name), { mode: 0o700 })
      await useSandboxFile({ path: undefined, dataDir })
    },
    hasItsSchema: async () => {
      const partitions = await partitionsOf(client)
      return (await schemaOf(client)) === first.schema && first.partitions.every(name => partitions.includes(name))
    },
    close: () => client.end(),
  }
}
