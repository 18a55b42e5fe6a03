/** Databases for tests, each cloned from the migrated template. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

const templateDatabase = 'fieldtest_template'

export const urlOf = (serverUrl: string, database: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** The URL with which the product signs in: the embedded PostgreSQL has a role for it. */
export const productUrlOf = (ownerUrl: string): string => {
  const url = new URL(ownerUrl)
  url.username = 'fieldtest_app'
  return url.href
}

const onServer = async (serverUrl: string, statement: string) => {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Called once per PostgreSQL. `fill` gets an empty database and must close its connections to it. */
export const makeTemplate = async (serverUrl: string, fill: (url: string) => Promise<void>): Promise<void> => {
  await onServer(serverUrl, `create database ${templateDatabase}`)
  await fill(urlOf(serverUrl, templateDatabase))
}

/** A database without even the migrations. */
export const emptyDatabase = async (serverUrl: string): Promise<string> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(serverUrl, `create database ${name}`)
  return urlOf(serverUrl, name)
}

export const cloneTemplate = async (serverUrl: string): Promise<string> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copies the files: through the write-ahead log it would take twice as long.
  await onServer(serverUrl, `create database ${name} template ${templateDatabase} strategy file_copy`)
  // Each copy is an installation of its own, with a sandbox file of its own: the balance in a shared one would be the sum of all.
  // It has its own encryption key, too: the template's key has encrypted nothing but the sample that is deleted here.
  await onServer(
    urlOf(serverUrl, name),
    'do $$ begin delete from sandbox_file; delete from key_sample; update installation set id = gen_random_uuid(); exception when undefined_table then null; end $$',
  )
  return urlOf(serverUrl, name)
}

/**
 * Its connections have to be closed first. PostgreSQL waits for connections that are ending, and itself stops an autovacuum
 * worker, which `with (force)` may do only for a superuser.
 */
export const dropDatabase = (serverUrl: string, url: string): Promise<void> =>
  onServer(serverUrl, `drop database ${new URL(url).pathname.slice(1)}`)
