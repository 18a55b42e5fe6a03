/** A database of one's own, cloned from the migrated template. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

const templateDatabase = 'fieldtest_template'

export const urlOf = (serverUrl: string, database: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
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
  await onServer(serverUrl, `create database ${name} template ${templateDatabase}`)
  return urlOf(serverUrl, name)
}
