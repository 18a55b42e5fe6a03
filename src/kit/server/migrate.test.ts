import { createHash, randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { dropDatabase, urlOf } from '../../testing/databases.ts'
import { unlimited } from './limits.ts'
import { migrate } from './migrate.ts'
import { isTransactional, statementsOf } from './migrationFiles.ts'
import { projectRoot } from './root.ts'

const made: string[] = []
const folders: string[] = []
const run = async <Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
const freshDatabase = async () => {
  const name = `migrate_${randomUUID().replaceAll('-', '')}`
  await run(inject('serverUrl'), `create database ${name}`)
  made.push(name)
  return urlOf(inject('serverUrl'), name)
}
/** Makes a folder of migrations with these files, as a release has it. */
const release = async (files: Record<string, string>) => {
  const folder = await mkdtemp(join(tmpdir(), 'fieldtest-migrations-'))
  folders.push(folder)
  await mkdir(join(folder, 'functions'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}
afterEach(async () => {
  for (const name of made.splice(0)) await dropDatabase(inject('serverUrl'), urlOf(inject('serverUrl'), name))
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

const migrations = join(projectRoot, 'migrations')
const sqlFiles = async (folder: string) =>
  (await readdir(join(migrations, folder))).filter(name => name.endsWith('.sql')).toSorted()
const files = await sqlFiles('.')
const functions = await sqlFiles('functions')
const all = [...files, ...functions.map(name => `functions/${name}`)]
const applied = (url: string) => run<{ name: string }>(url, 'select name from schema_migrations order by name')
const recorded = async (url: string) => ({
  migrations: await run(url, 'select * from schema_migrations order by name'),
  functions: await run(url, 'select * from schema_functions order by name'),
})

describe('the numbered files', () => {
  test('and the functions are applied once by four servers that start at once on a new database', async () => {
    const url = await freshDatabase()
    const results = await Promise.all(Array.from({ length: 4 }, () => migrate(url)))
    expect(results.toSorted((a, b) => b.length - a.length)).toEqual([all, [], [], []])
    expect((await applied(url)).map(({ name }) => name)).toEqual(files)
  })

  test('change nothing at a second start', async () => {
    const url = await freshDatabase()
    await migrate(url)
    const before = await recorded(url)
    expect(await migrate(url)).toEqual([])
    expect(await recorded(url)).toEqual(before)
  })

  test('are refused, with its name, if one was changed after it had been applied', async () => {
    const url = await freshDatabase()
    await migrate(url)
    await run(url, 'update schema_migrations set hash = $1 where name = $2', ['0'.repeat(64), files[1]])
    await expect(migrate(url)).rejects.toThrow(`migrations/${files[1]} was changed after it was applied`)
  })

  test('leave nothing behind if one fails; the error names it, and the lock is released', async () => {
    const url = await freshDatabase()
    // The first file creates this table as well.
    await run(url, 'create table login_failures ()')
    for (let start = 0; start < 2; start++) {
      await expect(migrate(url)).rejects.toThrow(
        `migrations/${files[0]} failed: relation "login_failures" already exists`,
      )
    }
    expect(await recorded(url)).toEqual({ migrations: [], functions: [] })
    expect(await run(url, "select from pg_tables where schemaname = 'public' and tablename = 'users'")).toEqual([])
    await run(url, 'drop table login_failures')
    expect(await migrate(url)).toEqual(all)
  })

  test('do not keep an older server from inserting rows: no column added later is required', async () => {
    const url = await freshDatabase()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const requiredColumns = async () =>
      (
        await client.query<{ table: string; column: string; oid: string }>(
          `select relname as "table", attname as "column", c.oid::text as oid
          from pg_class c join pg_attribute on attrelid = c.oid
          where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
            and attnotnull and not atthasdef and attidentity = ''`,
        )
      ).rows
    // Keyed by oid, since a table that is dropped and created again under the same name is another table.
    const madeBy = new Map<string, string>()
    const requiredSince = new Map<string, { oid: string; file: string }>()
    for (const file of files) {
      const text = await readFile(join(migrations, file), 'utf8')
      for (const part of isTransactional(text) ? [text] : statementsOf(text)) await client.query(part)
      for (const { oid, column } of await requiredColumns()) {
        if (!madeBy.has(oid)) madeBy.set(oid, file)
        const place = `${oid}.${column}`
        if (!requiredSince.has(place)) requiredSince.set(place, { oid, file })
      }
    }
    const required = await requiredColumns()
    await client.end()
    const late = required.filter(({ oid, column }) => madeBy.get(oid) !== requiredSince.get(`${oid}.${column}`)!.file)
    expect(late.map(({ table, column }) => `${table}.${column}`)).toEqual([])
  })

  describe('that need a table locked by another connection', () => {
    const change = {
      '001-first.sql': 'create table first (id int);',
      '002-second.sql': 'alter table first add column name text;',
    }
    const held = async () => {
      const url = await freshDatabase()
      await migrate(url, { folder: await release({ '001-first.sql': change['001-first.sql'] }) })
      const holder = new pg.Client({ connectionString: url, options: unlimited })
      await holder.connect()
      await holder.query('begin; lock table first in access share mode')
      return { url, holder }
    }

    test('say so, try again, and are applied once the table is free', async () => {
      const { url, holder } = await held()
      const said: string[] = []
      let freed: Promise<unknown> | undefined
      const say = (line: string) => {
        said.push(line)
        freed = holder.end()
      }
      const folder = await release(change)
      expect(await migrate(url, { folder, say, patience: { tries: 5, pauseMs: 1 } })).toEqual(['002-second.sql'])
      await freed
      expect(said).toEqual(['migrations/002-second.sql is waiting for a table that another connection has locked.'])
    })

    test('give up in the end, say what to do, and block nobody', async () => {
      const { url, holder } = await held()
      const folder = await release(change)
      await expect(migrate(url, { folder, patience: { tries: 2, pauseMs: 1 } })).rejects.toThrow(
        /^migrations\/002-second\.sql could not be applied: another connection holds a lock on a table .* then start the server again\.$/,
      )
      expect((await applied(url)).map(({ name }) => name)).toEqual(['001-first.sql'])
      await holder.query('select from first')
      await holder.end()
      expect(await migrate(url, { folder })).toEqual(['002-second.sql'])
    })

    test.each([
      ['a transaction', '', 'Nothing of it was kept'],
      ['statements one by one', '-- no transaction\n', 'Its earlier statements stay'],
    ])('applied as %s, say what remains when they give up', async (_, firstLine, left) => {
      const { url, holder } = await held()
      await holder.query('lock table first in exclusive mode')
      const second = `${firstLine}create table if not exists second (id int);
update first set id = 2 where id in (select id from first where id = 1 limit 10);`
      const folder = await release({ ...change, '002-second.sql': second })
      await expect(migrate(url, { folder, patience: { tries: 2, pauseMs: 1 } })).rejects.toThrow(left)
      const { rows } = await holder.query("select to_regclass('second') is not null as stands")
      expect(rows).toEqual([{ stands: firstLine !== '' }])
      await holder.end()
      expect(await migrate(url, { folder })).toEqual(['002-second.sql'])
    })
  })

  test('are numbered without gaps', () => {
    expect(files.map(name => name.slice(0, 4))).toEqual(files.map((_, index) => `${`${index + 1}`.padStart(3, '0')}-`))
  })
})

describe('a database made by another set of migrations', () => {
  test.each([
    ['from before the fold', ['001-accounts.sql', '002-campaigns.sql', '017-failed-logins-kept.sql']],
    ['from its first days', ['001-accounts.sql']],
    [
      'of a branch that took the same number',
      [...files.slice(0, -1), `${files.at(-1)!.slice(0, 3)}-something-else.sql`],
    ],
  ])('%s is refused with what to do, and left as it is', async (_, names) => {
    const url = await freshDatabase()
    await run(url, 'create table schema_migrations (name text primary key, hash text, applied_at timestamptz)')
    for (const name of names) {
      const text = await readFile(join(migrations, name), 'utf8').catch(() => '')
      const hash = createHash('sha256').update(text).digest('hex')
      await run(url, 'insert into schema_migrations values ($1, $2, now())', [name, hash])
    }
    const foreign = names.find(name => !files.includes(name))
    await expect(migrate(url)).rejects.toThrow(
      `This database was created by a different set of migrations: it has ${foreign}, which this release does not have. ` +
        'Move DATA_DIR away, or set DATABASE_URL to an empty database.',
    )
    expect((await applied(url)).map(({ name }) => name)).toEqual(names)
    expect(await run(url, "select from pg_proc where proname = 'post_transfer'")).toEqual([])
  })
})

describe('a new database', () => {
  const hashOf = async (file: string) =>
    createHash('sha256')
      .update(await readFile(join(migrations, file), 'utf8'))
      .digest('hex')

  test('has each file recorded with the hash of its text', async () => {
    const url = await freshDatabase()
    await migrate(url)
    const { migrations: numbered, functions: bodies } = await recorded(url)
    expect(numbered).toEqual(
      await Promise.all(files.map(async name => expect.objectContaining({ name, hash: await hashOf(name) }))),
    )
    expect(bodies).toEqual(
      await Promise.all(
        functions.map(async file =>
          expect.objectContaining({ name: file.replace('.sql', ''), hash: await hashOf(`functions/${file}`) }),
        ),
      ),
    )
  })

  test('has a file for each function that no trigger, index, constraint or generated column needs', async () => {
    const url = await freshDatabase()
    await migrate(url)
    const rows = await run<{ name: string }>(
      url,
      `select proname::text as name from pg_proc p where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
        and not exists (select from pg_depend where refclassid = 'pg_proc'::regclass and refobjid = p.oid
          and classid in ('pg_trigger'::regclass, 'pg_class'::regclass, 'pg_constraint'::regclass, 'pg_attrdef'::regclass))
        order by 1`,
    )
    expect(rows.map(({ name }) => `${name}.sql`)).toEqual(functions)
  })
})

describe('the functions', () => {
  const answer = (body: string, signature = '(p int)', type = 'int') =>
    `create or replace function answer${signature} returns ${type} language sql as $$ select ${body} $$;`
  const other = 'create or replace function other() returns int language sql as $$ select 1 $$;'
  const first = { '001-first.sql': 'create table first (id int);', 'functions/answer.sql': answer('p') }
  const second = { ...first, '002-second.sql': 'create table second (id int);' }
  const answered = async (url: string) => (await run<{ answer: unknown }>(url, 'select answer(1) as answer'))[0]!.answer
  const migratedTo = async (before: Record<string, string>) => {
    const url = await freshDatabase()
    await migrate(url, { folder: await release(before) })
    return url
  }

  test('are applied again when their text has changed, even without a numbered file, and only those are', async () => {
    const url = await migratedTo({ ...first, 'functions/other.sql': other })
    const [, before] = (await recorded(url)).functions
    const changed = await release({ ...first, 'functions/answer.sql': answer('p + 1'), 'functions/other.sql': other })
    expect(await migrate(url, { folder: changed })).toEqual(['functions/answer.sql'])
    expect(await answered(url)).toBe(2)
    expect(await migrate(url, { folder: changed })).toEqual([])
    expect((await recorded(url)).functions[1]).toEqual(before)
  })

  test('are applied after the numbered files, because they use their tables', async () => {
    const url = await migratedTo(first)
    const reads = answer('count(*)::int + p from second')
    expect(await migrate(url, { folder: await release({ ...second, 'functions/answer.sql': reads }) })).toEqual([
      '002-second.sql',
      'functions/answer.sql',
    ])
    expect(await answered(url)).toBe(1)
  })

  test('are left alone by an older release, which still starts', async () => {
    const url = await migratedTo({ ...second, 'functions/answer.sql': answer('p + 1') })
    const before = await recorded(url)
    expect(await migrate(url, { folder: await release({ ...first, 'functions/other.sql': other }) })).toEqual([])
    expect(await recorded(url)).toEqual(before)
    expect(await answered(url)).toBe(2)
  })

  test('are applied once by four servers that start at once', async () => {
    const url = await migratedTo(first)
    const many = Array.from({ length: 40 }, (_, index) => `f${index + 10}`)
    const changed = await release({
      ...first,
      ...Object.fromEntries(many.map(name => [`functions/${name}.sql`, other.replace('other', name)])),
    })
    const results = await Promise.all(Array.from({ length: 4 }, () => migrate(url, { folder: changed })))
    expect(results.toSorted((a, b) => b.length - a.length)).toEqual([
      many.map(name => `functions/${name}.sql`),
      [],
      [],
      [],
    ])
  })

  test('all stay as before if one of them fails; the error names it', async () => {
    const url = await migratedTo({ ...first, 'functions/other.sql': other })
    const before = await recorded(url)
    const broken = await release({
      ...second,
      'functions/answer.sql': answer('p + 1'),
      'functions/other.sql': other.replace('select 1', 'select missing'),
    })
    await expect(migrate(url, { folder: broken })).rejects.toThrow(
      /^migrations\/functions\/other\.sql failed: column "missing" does not exist$/,
    )
    expect(await answered(url)).toBe(1)
    expect((await recorded(url)).functions).toEqual(before.functions)
    // The numbered file stays applied, and the next release goes on from there.
    expect((await applied(url)).map(({ name }) => name)).toEqual(['001-first.sql', '002-second.sql'])
    const mended = await release({ ...second, 'functions/answer.sql': answer('p + 1'), 'functions/other.sql': other })
    expect(await migrate(url, { folder: mended })).toEqual(['functions/answer.sql'])
  })

  test.each([
    ['another type of a parameter', answer('1', '(p bigint)')],
    ['another parameter', answer('1', '(p int, q int)')],
    ['another name of a parameter', answer('1', '(q int)')],
    ['another type of what it returns', answer("'one'", '(p int)', 'text')],
  ])('are refused with %s until a numbered file drops the old one', async (_, text) => {
    const url = await migratedTo(first)
    const changed = { ...first, 'functions/answer.sql': text }
    await expect(migrate(url, { folder: await release(changed) })).rejects.toThrow(
      /^migrations\/functions\/answer\.sql .*\. A changed signature needs a numbered migration that drops the old function\.$/,
    )
    expect(await answered(url)).toBe(1)
    const drop = await release({ ...changed, '002-answer.sql': 'drop function if exists answer(int);' })
    expect(await migrate(url, { folder: drop })).toEqual(['002-answer.sql', 'functions/answer.sql'])
    expect(await migrate(await freshDatabase(), { folder: drop })).toEqual([
      '001-first.sql',
      '002-answer.sql',
      'functions/answer.sql',
    ])
  })

  test('are applied again after a numbered file dropped them, even with the same text', async () => {
    const url = await migratedTo(first)
    const drop = await release({ ...first, '002-drop.sql': 'drop function if exists answer(int);' })
    expect(await migrate(url, { folder: drop })).toEqual(['002-drop.sql', 'functions/answer.sql'])
    expect(await answered(url)).toBe(1)
  })

  test('must have the names of their files', async () => {
    const url = await freshDatabase()
    await expect(
      migrate(url, { folder: await release({ '001-first.sql': '', 'functions/answers.sql': answer('p') }) }),
    ).rejects.toThrow('migrations/functions/answers.sql does not create the function answers.')
  })
})
