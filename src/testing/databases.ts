/** A database of one's own, cloned from the migrated template. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

const templateDatabase = 'fieldtest_template'

export const urlOf = (serverUrl: string, database: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** As the product signs in to a database that the embedded PostgreSQL has, which knows its role. */
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

/** Once per PostgreSQL. `fill` gets an empty database, and leaves no connection to it open. */
export const makeTemplate = async (serverUrl: string, fill: (url: string) => Promise<void>): Promise<void> => {
  await onServer(serverUrl, `create database ${templateDatabase}`)
  await fill(urlOf(serverUrl, templateDatabase))
}

/** Not even migrated. */
export const emptyDatabase = async (serverUrl: string): Promise<string> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(serverUrl, `create database ${name}`)
  return urlOf(serverUrl, name)
}

export const cloneTemplate = async (serverUrl: string): Promise<string> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Its files are copied as they are: through the log it would take twice as long.
  await onServer(serverUrl, `create database ${name} template ${templateDatabase} strategy file_copy`)
  // Each is an installation of its own. The sandbox of each has its file: in a shared one the balance would be the sum of all. Each has an
  // encryption key of its own, too: the one of the template, which a server may have started on, has sealed nothing but its sample.
  await onServer(
    urlOf(serverUrl, name),
    'do $$ begin delete from sandbox_file; delete from key_sample; update installation set id = gen_random_uuid(); exception when undefined_table then null; end $$',
  )
  return urlOf(serverUrl, name)
}

/**
 * Its connections have to be closed: PostgreSQL waits for those that are ending, and ends a worker of autovacuum itself,
 * which `with (force)` may not do for anybody but a superuser.
 */
export const dropDatabase = (serverUrl: string, url: string): Promise<void> =>
  onServer(serverUrl, `drop database ${new URL(url).pathname.slice(1)}`)
