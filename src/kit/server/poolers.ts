/**
 * Detects at the start what a connection pooler in transaction mode breaks. Such a pooler hands a session of PostgreSQL to
 * another client after each transaction: notifications are lost, a session's lock is granted twice, and one client's named
 * statement is unknown to another (decision 015).
 */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { newClient } from '../postgres/client.ts'

const tries = 5

/** Throws with a sentence that says what to set. */
export const refusePoolers = async (
  url: string,
  {
    directUrl,
    migrationUrl,
    preparedStatements,
  }: { directUrl?: string | undefined; migrationUrl?: string | undefined; preparedStatements: boolean },
): Promise<void> => {
  if (migrationUrl !== undefined && (await sharesSessions(migrationUrl))) throw new Error(migrationIsPooled)
  const shares = await sharesSessions(url)
  const directShares = directUrl === undefined ? shares : await sharesSessions(directUrl)
  if (directShares) throw new Error(directUrl === undefined ? needsDirect : directIsPooled)
  if (shares && preparedStatements && !(await knowsNames(url))) throw new Error(forgetsNames)
}

const needsDirect =
  'DATABASE_URL goes through a connection pooler in transaction mode. Use its session mode, or set DATABASE_DIRECT_URL to PostgreSQL itself: notifications and the migration lock need a session.'
const directIsPooled =
  'DATABASE_DIRECT_URL goes through a connection pooler in transaction mode. It must go to PostgreSQL itself: notifications and the migration lock need a session.'
const migrationIsPooled =
  'DATABASE_MIGRATION_URL goes through a connection pooler in transaction mode. It must go to PostgreSQL itself: the migration lock needs a session.'
const forgetsNames =
  'DATABASE_URL goes through a connection pooler in transaction mode that mixes up named statements. Use its session mode, or PgBouncer 1.21 or newer with max_prepared_statements, or set PREPARED_STATEMENTS=off.'

const withClients = async <T>(url: string, use: (one: pg.Client, other: pg.Client) => Promise<T>): Promise<T> => {
  const clients = [newClient({ connectionString: url }), newClient({ connectionString: url })]
  try {
    await Promise.all(clients.map(client => client.connect()))
    return await use(clients[0]!, clients[1]!)
  } finally {
    await Promise.all(clients.map(client => client.end().catch(() => undefined)))
  }
}

const sessionOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid

/** Two clients that are open at once have a session each, unless a pooler is in between. */
const sharesSessions = (url: string): Promise<boolean> =>
  withClients(url, async (one, other) => {
    for (let left = tries; left > 0; left--) if ((await sessionOf(one)) === (await sessionOf(other))) return true
    return false
  })

const knowsNames = (url: string): Promise<boolean> =>
  withClients(url, async (one, other) => {
    const name = `probe_${randomUUID()}`
    const ask = (client: pg.Client) => client.query({ name, text: 'select 1 + $1::int', values: [1] })
    try {
      for (let left = tries; left > 0; left--) for (const client of [one, other]) await ask(client)
      return true
    } catch {
      return false
    }
  })
