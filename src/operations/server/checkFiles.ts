/** The invariants of the data (checks/*.sql): each check returns the rows that break it. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import pg from 'pg'
import { unlimited } from '../../kit/server/limits.ts'
import { projectRoot } from '../../kit/server/root.ts'

const folder = join(projectRoot, 'checks')

/**
 * `says` is the leading comment of the file: what is true while the check returns nothing. A check of the money has parts in
 * comments that begin with `touched`. They narrow the same statement down to what has changed (`touchedSql`); its parameters are
 * the ids of whatever was touched, the accounts, and the business keys of transfers. Its first columns say what a row is about, and
 * `off_cents` how much it is off.
 */
export type Check = { name: string; says: string; sql: string; touchedSql: string | null }

let loaded: Promise<Check[]> | undefined

/** Sorted by name. Throws if there are none. */
export const checks = (): Promise<Check[]> => (loaded ??= load())

const load = async () => {
  const files = (await readdir(folder)).filter(file => file.endsWith('.sql')).toSorted()
  if (files.length === 0) throw new Error(`no checks in ${folder}`)
  return Promise.all(
    files.map(async file => {
      const sql = await readFile(join(folder, file), 'utf8')
      const statement = sql.trim().replace(/;$/, '')
      return {
        name: basename(file, '.sql'),
        says: leadingComment(sql),
        sql: statement,
        touchedSql: touchedOf(statement),
      }
    }),
  )
}

const scopes = { ':touched': '$1::uuid[]', ':accounts': '$2::bigint[]', ':keys': '$3::text[]' }

const touchedOf = (sql: string) => {
  const narrowed = sql.replaceAll(/\/\*touched\s([^*]*)\*\//g, '$1')
  if (narrowed === sql) return null
  return Object.entries(scopes).reduce((text, [scope, parameter]) => text.replaceAll(scope, parameter), narrowed)
}

/** True if a breach of the check stops withdrawals. */
export const isOfMoney = ({ touchedSql }: Check): boolean => touchedSql !== null

const leadingComment = (sql: string) => {
  const lines = sql.split('\n')
  const end = lines.findIndex(line => !line.startsWith('--'))
  return lines
    .slice(0, end)
    .map(line => line.slice(2).trim())
    .join(' ')
}

/** Runs the checks on a database that nobody uses, for example a restored copy. Returns a line for each broken one. */
export const brokenIn = async (url: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url, options: unlimited })
  await client.connect()
  try {
    const broken: string[] = []
    for (const { name, sql } of await checks()) {
      const { rows } = await client.query(sql)
      if (rows.length > 0) broken.push(`${name}: ${rows.length} rows, such as ${JSON.stringify(rows[0])}`)
    }
    return broken
  } finally {
    await client.end()
  }
}
