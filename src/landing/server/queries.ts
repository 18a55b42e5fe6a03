import { empty, planEachTime, sql, type Tx } from '../../kit/server/db.ts'
import { keysetOf, type NumberedList } from '../../kit/server/numberedLists.ts'
import { searchFor } from '../../kit/server/searching.ts'
import type { WaitlistEntry, WaitlistQuery, WaitlistSignUp } from '../contract.ts'

const columns = sql`id, email, country, role, created_at as "createdAt"`

/** Keeps the first sign-up of an email address: ownership is not proven, so a later one must not change it. */
export const putEntry = (tx: Tx, entry: WaitlistSignUp & { id: string; now: string }): Promise<number> =>
  tx.run(sql`
    insert into waitlist (id, email, country, role, created_at)
    values (${entry.id}, ${entry.email}, ${entry.country}, ${entry.role}, ${entry.now})
    on conflict (email) do nothing`)

type Filters = Pick<WaitlistQuery, 'search' | 'role'>

const searched = { from: sql`waitlist`, text: sql`email` }

/** Newest first. */
export const waitlist = async (tx: Tx, filters: Filters): Promise<NumberedList<WaitlistEntry>> => {
  const { search, role } = filters
  const { found, counted } = await searchFor(tx, searched, search)
  const ofRole = role ? sql`and role = ${role}` : empty
  return {
    of: ['waitlist', filters],
    keyOf: ({ id }) => [id],
    matching: sql`select from waitlist where ${counted} ${ofRole}`,
    rows: slice => {
      const { beyond, order, window } = keysetOf(slice, sql`id`)
      return tx.rows(
        planEachTime(sql`
          select ${columns} from (select * from waitlist where ${found} ${ofRole} ${beyond} order by ${order} ${window}) page
          order by id desc`),
      )
    },
  }
}
