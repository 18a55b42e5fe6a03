/** What a test sees from outside: the letters that were sent, the books, and how many of several answers were which. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { autocommit } from '../kit/server/db.ts'
import type { Reply, TestApp } from './app.ts'
import { type Broken, runChecks } from './checks.ts'

/** The data checks that are broken: empty when the books are in order. */
export const brokenChecks = (): Promise<Broken[]> =>
  runChecks(sql => autocommit.raw(sql) as Promise<{ rows: unknown[] }>)

/** `count` times the same at once. */
export const atOnce = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** How often each HTTP status was answered: `{ 200: 1, 409: 19 }`. */
export const tally = (replies: readonly Pick<Reply<unknown>, 'status'>[]): Record<number, number> => {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Whom a letter went to, and its subject; sorted, since letters have no order among themselves. */
export const lettersOf = async ({ mailFolder }: Pick<TestApp, 'mailFolder'>): Promise<string[]> => {
  const files = await readdir(mailFolder).catch(() => [])
  const letters = files
    .filter(file => file.endsWith('.eml'))
    .map(async file => {
      const mail = (await readFile(join(mailFolder, file), 'utf8')).replaceAll(/\r\n[ \t]+/g, ' ')
      return `${/^To:.*<(.+)>/m.exec(mail)?.[1]}: ${/^Subject: (.*?)\r?$/m.exec(mail)?.[1]}`
    })
  return (await Promise.all(letters)).toSorted()
}

/** A connection beside the server's own: for what only another client can do, such as ending one of its connections. */
export const connectBeside = async ({ databaseUrl }: Pick<TestApp, 'databaseUrl'>): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'fieldtest test' })
  await client.connect()
  return client
}
