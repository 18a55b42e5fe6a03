/**
 * Time zones as they are stored. The server counts days, and the database makes statements and reminders, so both must know the
 * name.
 */
import { canonicalTimeZone } from '../../kit/clock.ts'
import { autocommit, sql } from '../../kit/server/db.ts'

/**
 * From lower case to PostgreSQL's spelling. Leaves out names without a region, such as IST, because the two read them
 * differently.
 */
let known: ReadonlyMap<string, string> | undefined

const load = async () => {
  const rows = await autocommit.rows<{ name: string }>(
    sql`select name from pg_timezone_names where name = 'UTC' or (name like '%/%' and name not like 'posix/%')`,
  )
  return new Map(rows.map(({ name }) => [name.toLowerCase(), name]))
}

/** The same zone under a name that the database knows; undefined if it knows none. */
export const storedTimeZone = async (name: string): Promise<string | undefined> => {
  known ??= await load()
  const names = [name, canonicalTimeZone(name)].map(each => each.toLowerCase())
  return known.get(names.find(each => known!.has(each)) ?? '')
}
