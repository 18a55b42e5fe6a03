/** The invariants of the data (checks/*.sql): each answers the rows that break it. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import pg from 'pg'
import { unlimited } from '../../kit/server/limits.ts'
import { projectRoot } from '../../kit/server/root.ts'

const folder = join(projectRoot, 'checks')

/**
 * `says` is the check's own first sentences: what holds while it answers nothing. A check of the money has parts in comments that
 * begin with `touched`: they narrow the same statement down to what has changed (`touchedSql`, of which the parameters are the ids
 * of whatever was touched, the accounts, and the business keys of transfers). Its rows begin with what they are about, and
 * say in `off_cents` by how much it is off.
 */
export type Check = { name: string; says: string; sql: string; touchedSql: string | null }

let loaded: Promise<Check[]> | undefined

/** By name. Throws when there is none. */
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

/** A breach of it stops withdrawals. */
export const isOfMoney = ({ touchedSql }: Check): boolean => touchedSql !== null

const leadingComment = (sql: string) => {
  const lines = sql.split('\n')
  const end = lines.findIndex(line => !line.startsWith('--'))
  return lines
    .slice(0, end)
    .map(line => line.slice(2).trim())
    .join(' ')
}

/** Runs them on a database that nobody uses, such as a restored copy; a line for each that is broken. */
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
