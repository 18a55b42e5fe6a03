/** A database of one's own, cloned from the migrated template. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'

export const templateDatabase = 'fieldtest_template'

export const urlOf = (serverUrl: string, database: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

export const cloneTemplate = async (serverUrl: string): Promise<string> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(`create database ${name} template ${templateDatabase}`)
  } finally {
    await client.end()
  }
  return urlOf(serverUrl, name)
}
