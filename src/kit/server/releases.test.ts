/** Migrations while servers go on working, and servers of other releases (decision 047). */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { emptyDatabase } from '../../testing/databases.ts'
import { connectBeside } from '../../testing/observed.ts'
import { migrate } from './migrate.ts'
import { bodiesOf, readMigrations } from './migrationFiles.ts'
import { announceRelease } from './releases.ts'

const folders: string[] = []
const clients: pg.Client[] = []
const folderOf = async (files: Record<string, string>) => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldtest-migrations-'))
  folders.push(folder)
  await mkdir(join(folder, 'functions'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}
const clientOf = async (databaseUrl: string) => {
  const client = await connectBeside({ databaseUrl })
  clients.push(client)
  return client
}
const databaseWith = async (files: Record<string, string>) => {
  const url = await emptyDatabase(inject('serverUrl'))
  await migrate(url, { folder: await folderOf(files) })
  return { url, client: await clientOf(url) }
}
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

const first = { '001-first.sql': 'create table big (id int primary key, name text);' }

describe('a file without a transaction', () => {
  const indexed = {
    ...first,
    '002-name.sql': '-- no transaction\ncreate unique index concurrently if not exists big_name on big (name);\n',
  }
  const isValid = async (client: pg.Client) =>
    (await client.query(`select indisvalid as valid from pg_index where indexrelid = to_regclass('big_name')`)).rows
  const patient = { timeout: 20_000, interval: 10 }

  test('creates an index while others write', async () => {
    const { url, client } = await databaseWith(first)
    await client.query("begin; insert into big values (1, 'one')")
    const migrated = migrate(url, { folder: await folderOf(indexed) })
    const other = await clientOf(url)
    const waiting = async () =>
      (
        await other.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and query like 'create unique index concurrently%'`)
      ).rowCount
    await expect.poll(waiting, patient).toBe(1)
    await other.query("set lock_timeout = '5s'; insert into big values (2, 'two')")
    await client.query('commit')
    expect(await migrated).toEqual(['002-name.sql'])
    expect(await isValid(client)).toEqual([{ valid: true }])
  })

  test('is applied once by servers that start at once, and does not wait for them', async () => {
    const { url, client } = await databaseWith(first)
    await client.query("insert into big select n, 'name ' || n from generate_series(1, 5000) n")
    const folder = await folderOf(indexed)
    const results = await Promise.all(Array.from({ length: 4 }, () => migrate(url, { folder })))
    expect(results.flat()).toEqual(['002-name.sql'])
  })

  test('that failed leaves no invalid index behind: the next start creates it again', async () => {
    const { url, client } = await databaseWith(first)
    await client.query("insert into big values (1, 'same'), (2, 'same')")
    const folder = await folderOf(indexed)
    await expect(migrate(url, { folder })).rejects.toThrow(
      'migrations/002-name.sql failed: could not create unique index',
    )
    expect(await isValid(client)).toEqual([{ valid: false }])
    await client.query('delete from big where id = 2')
    expect(await migrate(url, { folder })).toEqual(['002-name.sql'])
    expect(await isValid(client)).toEqual([{ valid: true }])
  })

  test('changes rows in batches, and goes on with the rest after a crash', async () => {
    const { url, client } = await databaseWith(first)
    await client.query('insert into big select n from generate_series(1, 25) n')
    const batches = `-- no transaction
-- Ten at a time.
update big set name = 'filled'
  where id in (select id from big where name is null limit 10);
alter table big validate constraint named;`
    const folder = await folderOf({ ...first, '002-fill.sql': batches })
    await expect(migrate(url, { folder })).rejects.toThrow('constraint "named" of relation "big" does not exist')
    const filled = async () => (await client.query('select count(*)::int as n from big where name is not null')).rows[0]
    expect(await filled()).toEqual({ n: 25 })
    await client.query(
      'insert into big values (26); alter table big add constraint named check (name is not null) not valid',
    )
    expect(await migrate(url, { folder })).toEqual(['002-fill.sql'])
    expect(await filled()).toEqual({ n: 26 })
  })
})

describe('releases', () => {
  const answer = (n: number) => `create or replace function answer() returns int language sql as $$ select ${n} $$;`
  /** The folder after `npm run release` has made it release `release`. */
  const released = async (release: number, files: Record<string, string>) => {
    const folder = await folderOf(files)
    const { functions } = await readMigrations(folder)
    const last = { release, newest: Object.keys(files).filter(name => /^\d/.test(name)).length, functions: {} }
    await writeFile(join(folder, 'release.json'), JSON.stringify({ ...last, bodies: bodiesOf(functions) }))
    return folder
  }
  const four = () => released(4, { ...first, 'functions/answer.sql': answer(4) })
  const five = () => released(5, { ...first, 'functions/answer.sql': answer(5) })
  const six = () =>
    released(6, { ...first, '002-more.sql': 'create table more ();', 'functions/answer.sql': answer(6) })
  const seven = () => released(7, { ...first, 'functions/answer.sql': answer(7) })
  const recorded = async (client: pg.Client) =>
    (await client.query('select answer() as answer, f.release from schema_functions f')).rows[0]
  const fresh = async () => {
    const url = await emptyDatabase(inject('serverUrl'))
    return { url, client: await clientOf(url) }
  }

  test('keep their number until something changes, which then belongs to the next one', async () => {
    const folder = await four()
    expect((await readMigrations(folder)).release).toBe(4)
    await writeFile(join(folder, 'functions/answer.sql'), answer(44))
    expect((await readMigrations(folder)).release).toBe(5)
    expect((await readMigrations(await folderOf(first))).release).toBe(1)
  })

  test('record their number with the functions, and leave those of a newer release alone', async () => {
    const { url, client } = await fresh()
    await migrate(url, { folder: await five() })
    expect(await recorded(client)).toEqual({ answer: 5, release: 5 })
    expect(await migrate(url, { folder: await four() })).toEqual([])
    expect(await recorded(client)).toEqual({ answer: 5, release: 5 })
    await migrate(url, { folder: await six() })
    expect(await recorded(client)).toEqual({ answer: 6, release: 6 })
  })

  test('do not run with a schema two releases newer, even if that release’s first file failed', async () => {
    const { url } = await fresh()
    await migrate(url, { folder: await four() })
    const broken = await released(6, { ...first, '002-broken.sql': 'create table;' })
    await expect(migrate(url, { folder: broken })).rejects.toThrow('migrations/002-broken.sql failed')
    expect(await migrate(url, { folder: await five() })).toEqual([])
    await expect(migrate(url, { folder: await four() })).rejects.toThrow(
      'This database has the schema of release 6. This server is release 4, which works with schemas up to release 5. ' +
        'Start release 5 or 6 instead.',
    )
  })

  test('bring an older schema up to date, however old it is', async () => {
    const { url, client } = await fresh()
    await migrate(url, { folder: await four() })
    expect(await migrate(url, { folder: await six() })).toEqual(['002-more.sql', 'functions/answer.sql'])
    expect(await recorded(client)).toEqual({ answer: 6, release: 6 })
  })

  test('do not change the schema while a server runs that could not work with it', async () => {
    const { url, client } = await fresh()
    await migrate(url, { folder: await four() })
    const running = await clientOf(url)
    await announceRelease(running, 4)
    await expect(migrate(url, { folder: await six() })).rejects.toThrow(
      'A server of release 4 is running, which cannot work with the schema of release 6: replace all servers with release 5 ' +
        'first, or stop them.',
    )
    expect(await recorded(client)).toEqual({ answer: 4, release: 4 })
    await migrate(url, { folder: await five() })
    await expect(migrate(url, { folder: await seven() })).rejects.toThrow('A server of release 4 is running, which')
    await clients.splice(clients.indexOf(running), 1)[0]!.end()
    expect(await migrate(url, { folder: await six() })).toHaveLength(2)
    await expect(announceRelease(client, 4)).rejects.toThrow('This database has the schema of release 6.')
  })
})
