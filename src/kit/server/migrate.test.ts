import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, inject, test } from 'vitest'
import { urlOf } from '../../testing/databases.ts'
import { migrate } from './migrate.ts'
import { projectRoot } from './root.ts'

const made: string[] = []
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
afterEach(async () => {
  for (const name of made.splice(0)) await run(inject('serverUrl'), `drop database ${name} with (force)`)
})

const files = (await readdir(join(projectRoot, 'migrations'))).filter(name => name.endsWith('.sql')).toSorted()
const applied = (url: string) => run<{ name: string }>(url, 'select name from schema_migrations order by name')

test('four servers that start at once on a new database apply each migration once', async () => {
  const url = await freshDatabase()
  const results = await Promise.all(Array.from({ length: 4 }, () => migrate(url)))
  expect(results.toSorted((a, b) => b.length - a.length)).toEqual([files, [], [], []])
  expect((await applied(url)).map(({ name }) => name)).toEqual(files)
})

test('a second start applies nothing and changes nothing', async () => {
  const url = await freshDatabase()
  await migrate(url)
  const before = await run(url, 'select * from schema_migrations')
  expect(await migrate(url)).toEqual([])
  expect(await run(url, 'select * from schema_migrations')).toEqual(before)
})

test('a file that was changed after it had been applied is refused by its name', async () => {
  const url = await freshDatabase()
  await migrate(url)
  await run(url, 'update schema_migrations set hash = $1 where name = $2', ['0'.repeat(64), files[1]])
  await expect(migrate(url)).rejects.toThrow(`migrations/${files[1]} was changed after it had been applied`)
})

test('a migration that fails leaves nothing of itself behind, is named, and does not keep the lock', async () => {
  const url = await freshDatabase()
  // The first one wants to make a table that is there already.
  await run(url, 'create table login_failures ()')
  for (let start = 0; start < 2; start++) {
    await expect(migrate(url)).rejects.toThrow(
      `migrations/${files[0]} failed: relation "login_failures" already exists`,
    )
  }
  expect(await applied(url)).toEqual([])
  expect(await run(url, "select tablename from pg_tables where schemaname = 'public' and tablename = 'users'")).toEqual(
    [],
  )
  await run(url, 'drop table login_failures')
  expect(await migrate(url)).toEqual(files)
})
