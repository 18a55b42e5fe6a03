/**
 * Lists with page numbers (decision 029): pages are found by number up to 500, and by cursor without a limit; totals are counted
 * up to 10,000 and estimated beyond, so no page costs more because the table has grown.
 */
import type { NumberedPage } from '../endpoint.ts'
import { exactTotals } from '../numbered.ts'
import { empty, join, planEachTime, sql, type Tx } from './db.ts'
import { expectedRows } from './estimates.ts'
import { cursorOf, type Place, placeOf } from './numberedCursors.ts'

type Sql = ReturnType<typeof sql>

/** The position of a page, for the list's SQL. */
export type Slice = {
  place: Place | null
  /** One more row than is shown, which tells whether there is another page. */
  limit: number
  offset: number
}

/** The parts of a select that finds the rows of a page: `… where … ${beyond} order by ${order} ${window}`. */
type Keyset = { beyond: Sql; order: Sql; window: Sql }

/**
 * `key` is the columns that the list is sorted by, all descending, the last of them unique. A page reached backwards is found in
 * ascending order, so the surrounding statement has to sort its rows.
 */
export const keysetOf = ({ place, limit, offset }: Slice, ...key: Sql[]): Keyset => {
  const rising = place?.direction === 'before'
  const columns = join(key)
  return {
    beyond: place ? sql`and (${columns}) ${rising ? sql`>` : sql`<`} (${join(place.key)})` : empty,
    order: join(key.map(column => (rising ? column : sql`${column} desc`))),
    window: sql`limit ${limit} ${offset > 0 ? sql`offset ${offset}` : empty}`,
  }
}

export type NumberedList<Row> = {
  /** The list's name and its filters; a cursor belongs to both. */
  of: readonly [name: string, filters: object]
  /** The rows of a page in the list's own order, by `keysetOf`. */
  rows: (slice: Slice) => Promise<Row[]>
  /** A row's values of the columns that `keysetOf` compares. */
  keyOf: (row: Row) => string[]
  /** All matching rows in any order: `select from … where …`. */
  matching: Sql
}

export type PageQuery = { page: number; limit: number; cursor?: string | undefined }

export const numberedPageOf = async <Row>(
  tx: Tx,
  { page: wanted, limit, cursor }: PageQuery,
  { of, rows, keyOf, matching }: NumberedList<Row>,
): Promise<NumberedPage<Row>> => {
  const list = JSON.stringify(of)
  const place = cursor === undefined ? null : placeOf(list, cursor)
  const page = place?.page ?? wanted
  const [found, total] = await Promise.all([
    rows({ place, limit: limit + 1, offset: place ? 0 : (page - 1) * limit }),
    totalOf(tx, matching),
  ])
  const backwards = place?.direction === 'before'
  const data = backwards ? found.slice(-limit) : found.slice(0, limit)
  const more = found.length > limit
  const to = (direction: Place['direction'], row: Row | undefined) =>
    row ? cursorOf(list, { page: direction === 'after' ? page + 1 : page - 1, direction, key: keyOf(row) }) : null
  return {
    data,
    page,
    limit,
    ...total,
    nextCursor: backwards || more ? to('after', data.at(-1)) : null,
    previousCursor: page > 1 && (!backwards || more) ? to('before', data[0]) : null,
  }
}

type Total = { total: number; totalIsEstimate: boolean }

const totalOf = async (tx: Tx, matching: Sql): Promise<Total> => {
  const counted = await tx.value<number>(
    planEachTime(sql`select count(*) from (${matching} limit ${exactTotals + 1}) counted`),
  )
  if (counted <= exactTotals) return { total: counted, totalIsEstimate: false }
  return { total: Math.max(counted, await expectedRows(tx, matching)), totalIsEstimate: true }
}
