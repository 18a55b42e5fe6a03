/**
 * How a scan walks through facts: in the order of their times, some thousand in each step. Finds where a step ends, and which of
 * its devices, texts, files, addresses or accounts could make a finding, with two look-ups for each, however many facts it has.
 */
import { join, sql, type Tx } from '../../kit/server/db.ts'

/** The facts from `from` on and before `until`, which may be 'infinity'. */
export type Step = { from: string; until: string }
export type Fragment = ReturnType<typeof sql>

export const within = (at: Fragment, { from, until }: Step) =>
  sql`${at} >= ${from}::timestamptz and ${at} < ${until}::timestamptz`

type Times = (from: string, limit: number) => Fragment

/** The next times in one table, along its index. On the view of all device uses, PostgreSQL would sort every row. */
export const times =
  (at: Fragment, facts: Fragment): Times =>
  (from, limit) =>
    sql`(select ${at} as at from ${facts} and ${at} > ${from}::timestamptz order by ${at} limit ${limit})`

/** Where a step of about this many facts ends. As text, because a JavaScript time has no microseconds. */
export const ends =
  (...all: Times[]) =>
  async (tx: Tx, from: string, many: number): Promise<string> => {
    const next = join(
      all.map(of => of(from, many + 1)),
      ' union all ',
    )
    const end = await tx.maybe<{ until: string }>(sql`select facts.at::text as until from (${next}) facts
      order by facts.at offset ${many} limit 1`)
    return end?.until ?? 'infinity'
  }

export const keys = async (rows: Promise<{ key: string }[]>): Promise<string[]> => (await rows).map(({ key }) => key)

/**
 * Those of `fresh`, which has a column `key`, that several people have. `facts` finds the rows of `fresh.key`, and `who` says
 * whose they are; an index has them in this order.
 */
export const keysOfSeveral = (
  tx: Tx,
  fresh: Fragment,
  { facts, who, asText = sql`fresh.key` }: { facts: Fragment; who: Fragment; asText?: Fragment },
): Promise<string[]> =>
  keys(
    tx.rows(sql`
    with fresh as materialized (${fresh})
    select ${asText} as key from fresh
      cross join lateral (select ${who} as id from ${facts} order by ${who} limit 1) lowest
      cross join lateral (select ${who} as id from ${facts} order by ${who} desc limit 1) highest
    where lowest.id <> highest.id`),
  )
