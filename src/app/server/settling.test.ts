/**
 * If something else backs up and restores the database, the rest is still done: files, erased ids, and pausing the copy's jobs.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { assertEmpty } from '../../backups/server/given.ts'
import { cloneTemplate } from '../../testing/databases.ts'
import { runScript } from '../../testing/installation.ts'

const BACKUP_KEY = randomBytes(32).toString('base64')
let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'fieldtest-settling-'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const on = async <Row>(url: string, query: string, values: unknown[] = []) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(query, values)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** A database that contains Ann, either as herself or deleted. */
const databaseWith = async (id: string, deleted: boolean) => {
  const url = await cloneTemplate(inject('serverUrl'))
  await on(
    url,
    `insert into users (id, email, name, role, password_hash, created_at, deleted_at)
      values ($1, $2, $3, 'TESTER', 'x', now() - interval '1 day', case when $4 then now() end)`,
    [id, deleted ? `deleted-${id}@deleted.invalid` : 'ann@example.test', deleted ? 'Deleted user' : 'Ann', deleted],
  )
  return url
}

const pausesOf = (url: string) => on(url, 'select reason from job_pauses where resumed_at is null')

/** The environment of the servers of this database. */
const environmentOf = (url: string) => ({ DATABASE_URL: url, DATABASE_DIRECT_URL: url, DATABASE_MIGRATION_URL: url })

test('whoever has been deleted since is deleted in the copy, and its jobs are paused', async () => {
  const id = randomUUID()
  const [original, restored] = [await databaseWith(id, true), await databaseWith(id, false)]
  await on(
    restored,
    `insert into waitlist (id, email, country, role, created_at)
      values (gen_random_uuid(), 'ann@example.test', 'GR', 'tester', now())`,
  )
  await on(
    restored,
    `insert into mail_trouble (server, since, last_at, reason) values ('web-1', now() - interval '1 day', now(), 'Of the original')`,
  )
  // Of somebody who stays: what is due for deletion is deleted in the copy, whose jobs are paused.
  await on(
    restored,
    `with bob as (
      insert into users (id, email, name, role, password_hash, created_at)
        values (gen_random_uuid(), 'bob@example.test', 'Bob', 'TESTER', 'x', now() - interval '1 year') returning id
    )
    insert into idempotency_keys (user_id, key, request_hash, subject_id, created_at)
      select id, 'old', '', id, now() - interval '1 year' from bob`,
  )
  const place = join(root, 'backups')
  const env = { BACKUP_KEY, DATA_DIR: join(root, 'data') }
  const backedUp = await runScript('backup', ['--without-database', '--to', place], { ...env, DATABASE_URL: original })
  expect(backedUp).toMatchObject({
    code: 0,
    said: expect.stringContaining('Files and the IDs of erased data were backed up to') as string,
  })
  expect((await readdir(place)).toSorted()).toEqual(['erased', 'installation'])

  const args = ['--settle', '--database', restored, '--from', place, '--to', join(root, 'restored')]
  const { code, said } = await runScript('restore', args, { ...env, ...environmentOf(original) })
  const { pathname, host } = new URL(restored)
  expect(said.split('\n')[0]).toBe(`The database ${pathname.slice(1)} on ${host} becomes the restored copy.`)
  expect(said).toContain('Erased again, because they were erased after that moment: 1 accounts')
  expect(code).toBe(0)
  expect(await on(restored, 'select email, name from users where id = $1', [id])).toEqual([
    { email: `deleted-${id}@deleted.invalid`, name: 'Deleted user' },
  ])
  expect(await on(restored, 'select email from waitlist')).toEqual([])
  expect(await on(restored, 'select server from mail_trouble')).toEqual([])
  expect(await on(restored, 'select key from idempotency_keys')).toEqual([])
  expect(await pausesOf(restored)).toEqual([{ reason: 'RESTORED' }])
  expect(await pausesOf(original)).toEqual([])
})

test('it must be told which database is the copy: the one in the environment is the original, and stays as it is', async () => {
  const original = await databaseWith(randomUUID(), false)
  const args = ['--settle', '--from', join(root, 'backups'), '--to', join(root, 'other')]
  const { code, said } = await runScript('restore', args, { BACKUP_KEY, ...environmentOf(original) })
  expect(said).toContain('--settle needs the restored database: name it with --database.')
  expect(code).toBe(1)
  expect(await pausesOf(original)).toEqual([])
})

test('nothing is restored into a database that is not empty', async () => {
  const used = await databaseWith(randomUUID(), false)
  await expect(assertEmpty(used)).rejects.toThrow(/^The database \S+ on \S+:\d+ is not empty: it has /)
})
