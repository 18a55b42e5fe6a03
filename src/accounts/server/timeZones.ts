/** Time zones as they are stored. Days are counted here, and statements and reminders in the database: both must know the name. */
import { canonicalTimeZone } from '../../kit/clock.ts'
import { autocommit, sql } from '../../kit/server/db.ts'

/** In small letters → as PostgreSQL writes it. Names without a region, such as IST, mean different zones to the two. */
let known: ReadonlyMap<string, string> | undefined

const load = async () => {
  const rows = await autocommit.rows<{ name: string }>(
    sql`select name from pg_timezone_names where name = 'UTC' or (name like '%/%' and name not like 'posix/%')`,
  )
  return new Map(rows.map(({ name }) => [name.toLowerCase(), name]))
}

/** The same zone, under a name that the database knows; undefined where it knows none. */
export const storedTimeZone = async (name: string): Promise<string | undefined> => {
  known ??= await load()
  const names = [name, canonicalTimeZone(name)].map(each => each.toLowerCase())
  return known.get(names.find(each => known!.has(each)) ?? '')
}
