import { empty, join, sql, type Tx } from '../../kit/server/db.ts'
import { containing } from '../../kit/server/like.ts'
import type { WaitlistEntry, WaitlistQuery, WaitlistSignUp } from '../contract.ts'

const columns = sql`id, email, country, role, created_at as "createdAt"`

/** Keeps the first sign-up of an email address: ownership is not proven, so a later one must not change it. */
export const putEntry = (tx: Tx, entry: WaitlistSignUp & { id: string; now: string }): Promise<number> =>
  tx.run(sql`
    insert into waitlist (id, email, country, role, created_at)
    values (${entry.id}, ${entry.email}, ${entry.country}, ${entry.role}, ${entry.now})
    on conflict (email) do nothing`)

const matching = ({ search, role }: WaitlistQuery) => {
  const conditions = [
    ...(search ? [sql`email like ${containing(search.toLowerCase())}`] : []),
    ...(role ? [sql`role = ${role}`] : []),
  ]
  return conditions.length === 0 ? empty : sql`where ${join(conditions, ' and ')}`
}

/** Newest first. */
export const listEntries = (tx: Tx, query: WaitlistQuery): Promise<WaitlistEntry[]> =>
  tx.rows(sql`
    select ${columns} from waitlist ${matching(query)}
    order by id desc limit ${query.limit} offset ${(query.page - 1) * query.limit}`)

export const countEntries = (tx: Tx, query: WaitlistQuery): Promise<number> =>
  tx.value(sql`select count(*) from waitlist ${matching(query)}`)
