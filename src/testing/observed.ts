/** What a test observes from outside: sent emails, the books, and how often each status was returned. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { autocommit } from '../kit/server/db.ts'
import { unlimited } from '../kit/server/limits.ts'
import type { Reply, TestApp } from './app.ts'
import { type Broken, runChecks } from './checks.ts'
import { confirmationSubject } from './emailedLinks.ts'
import { served } from './served.ts'

/** The violated data checks; empty when the books balance. */
export const brokenChecks = (): Promise<Broken[]> =>
  runChecks(sql => autocommit.raw(sql) as Promise<{ rows: unknown[] }>)

/** Runs `work` `count` times in parallel. */
export const atOnce = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** Like `atOnce`, but repeats requests that the server had no time for. */
export const inParallel = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  atOnce(count, index => served(() => work(index)))

/** Waits until all transfers so far are final (settled_sequence), which transactions in other databases can also delay. */
export const allFinal = async (t: Pick<TestApp, 'look'>): Promise<void> => {
  const isFinal = () => t.look('select settled_sequence() >= (select max(id) from transfers) as final')
  await expect.poll(isFinal, { timeout: 30_000 }).toEqual([{ final: true }])
}

/** How often each HTTP status was returned: `{ 200: 1, 409: 19 }`. */
export const tally = (replies: readonly Pick<Reply<unknown>, 'status'>[]): Record<number, number> => {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The recipient and subject of every other email, sorted because emails have no order. */
export const emailsOf = async ({ mailFolder }: Pick<TestApp, 'mailFolder'>): Promise<string[]> => {
  const files = await readdir(mailFolder).catch(() => [])
  const emails = files
    .filter(file => file.endsWith('.eml'))
    .map(async file => {
      const mail = (await readFile(join(mailFolder, file), 'utf8')).replaceAll(/\r\n[ \t]+/g, ' ')
      return `${/^To: (?:.*<)?([^<>\r\n]+)>?\r?$/m.exec(mail)?.[1]}: ${/^Subject: (.*?)\r?$/m.exec(mail)?.[1]}`
    })
  return (await Promise.all(emails)).filter(email => !email.endsWith(`: ${confirmationSubject}`)).toSorted()
}

/** A connection of the test's own, without time limits, for example to end one of the server's connections. */
export const connectBeside = async (
  { databaseUrl }: Pick<TestApp, 'databaseUrl'>,
  more: pg.ClientConfig = {},
): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'fieldtest test',
    options: unlimited,
    ...more,
  })
  await client.connect()
  return client
}
