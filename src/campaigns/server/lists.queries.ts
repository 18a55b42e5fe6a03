/** SQL of the lists of campaigns: filters, search and pages. */
import type { SignedIn } from '../../kit/endpoint.ts'
import { empty, join, planEachTime, sql, type Tx } from '../../kit/server/db.ts'
import { fixedRowLimit, rowLimit } from '../../kit/server/rowLimits.ts'
import { saying, searchFor } from '../../kit/server/searching.ts'
import type { AvailableQuery, CampaignQuery, PendingQuery, SortedCampaignQuery } from '../contract.ts'
import type { CampaignSort } from '../terms.ts'
import { type CampaignRow, columns, seenBy, visibleTo } from './queries.ts'

type Fragment = typeof empty

type Filters = Pick<CampaignQuery, 'search' | 'platform'> & Partial<Pick<CampaignQuery, 'status'>>

const searched = { from: sql`campaigns c`, text: sql`c.search_text` }

const matching = async (tx: Tx, { search, platform, status }: Filters) => {
  const { found } = await searchFor(tx, searched, search)
  return join([found, ...ofKind({ platform, status })], ' and ')
}

const ofKind = ({ platform, status }: Filters) => [
  ...(platform ? [sql`c.platform = ${platform}`] : []),
  ...(status ? [sql`c.status = ${status}`] : []),
]

/**
 * For the few campaigns `c` that one person owns or tests: compared row by row, since the word index does not know whose they
 * are.
 */
export const matchingOwn = ({ search, ...filters }: Filters) =>
  join([search ? saying(sql`c.search_text`, search) : sql`true`, ...ofKind(filters)], ' and ')

/** The id is the last part; before it stands the value that the list was sorted by, if it was. */
const positionOf = (cursor: string) => {
  const [id = cursor, value] = cursor.split('.').toReversed()
  return { id, value }
}

const after = (cursor: string | undefined) => (cursor ? sql`and c.id < ${positionOf(cursor).id}` : empty)

const created = { by: null, falls: true, valueOf: null }
const pay = sql`c.pay_per_tester_cents`
const paid = sql`(c.funded_cents + c.fee_cents)`

/** The sort key before the id. Ids run in the same direction, as in the indexes. */
type Value = (row: CampaignRow) => number
const payOf: Value = ({ payPerTesterCents }) => payPerTesterCents
const paidOf: Value = ({ fundedCents, feeCents }) => fundedCents + feeCents

type Order = { by: Fragment; falls: boolean; valueOf: Value } | { by: null; falls: boolean; valueOf: null }

const orders: Record<CampaignSort, Order> = {
  newest: created,
  oldest: { ...created, falls: false },
  highestPay: { by: pay, falls: true, valueOf: payOf },
  lowestPay: { by: pay, falls: false, valueOf: payOf },
  shortest: { by: sql`c.duration_days`, falls: false, valueOf: ({ durationDays }) => durationDays },
  mostPaid: { by: paid, falls: true, valueOf: paidOf },
  leastPaid: { by: paid, falls: false, valueOf: paidOf },
}

/** Only admins sort the list of all. */
export const sortFor = ({ role }: SignedIn, { sort }: SortedCampaignQuery): CampaignSort | undefined =>
  role === 'ADMIN' ? sort : 'newest'

/** Where the list goes on after this campaign, whatever becomes of it until then. */
export const cursorIn =
  (sort: CampaignSort = 'newest') =>
  (row: CampaignRow): string => {
    const { valueOf } = orders[sort]
    return valueOf === null ? row.id : `${valueOf(row)}.${row.id}`
  }

type Paged = { sort?: CampaignSort | undefined; cursor?: string | undefined; limit: number }

/** The rest of the list after the cursor. One from an earlier release has no value: the campaign's present one takes its place. */
const sorted = ({ sort = 'newest', cursor, limit }: Paged) => {
  const { by, falls } = orders[sort]
  const beyond = falls ? sql`<` : sql`>`
  const direction = falls ? sql`desc` : empty
  const { id, value } = cursor ? positionOf(cursor) : {}
  if (by === null)
    return sql`${id ? sql`and c.id ${beyond} ${id}` : empty} order by c.id ${direction} limit ${rowLimit(limit + 1)}`
  const last = value === undefined ? sql`(select ${by} from campaigns c where c.id = ${id})` : sql`${value}::bigint`
  const behind = id ? sql`and (${by}, c.id) ${beyond} (${last}, ${id}::uuid)` : empty
  return sql`${behind} order by ${by} ${direction}, c.id ${direction} limit ${rowLimit(limit + 1)}`
}

const page = (tx: Tx, { search }: Filters, statement: ReturnType<typeof sql>): Promise<CampaignRow[]> =>
  tx.rows(search ? planEachTime(statement) : statement)

/** Reads one row more than asked for: if it is there, so is another page. */
export const listFor = async (tx: Tx, user: SignedIn, query: SortedCampaignQuery): Promise<CampaignRow[]> => {
  if (user.role === 'TESTER') return listForTester(tx, user, query)
  const among = user.role === 'DEVELOPER' ? matchingOwn(query) : await matching(tx, query)
  return page(
    tx,
    query,
    sql`
    select ${columns} from ${seenBy(user.id)}
    where ${visibleTo(user)} and ${among}
    ${sorted({ ...query, sort: sortFor(user, query) })}`,
  )
}

/**
 * LIVE campaigns, those the tester is in and those they wait for, each read by its own index: joined by "or", the query would
 * walk the whole table. The inner limits are literals, the largest page allowed: a prepared plan that cannot see how few rows
 * come joins whole tables (435 ms instead of 1 ms with 100,000 campaigns).
 */
const listForTester = async (tx: Tx, user: SignedIn, query: CampaignQuery): Promise<CampaignRow[]> => {
  const live = await matching(tx, query)
  return page(
    tx,
    query,
    sql`
    with ids as (
      (select c.id from campaigns c where c.status = 'LIVE' and ${live} ${after(query.cursor)}
        order by c.id desc limit 101)
      union
      (select c.id from participations own join campaigns c on c.id = own.campaign_id
        where own.tester_id = ${user.id} and ${matchingOwn(query)} ${after(query.cursor)}
        order by own.campaign_id desc limit 101)
      union
      (select c.id from bench_entries own join campaigns c on c.id = own.campaign_id
        where own.tester_id = ${user.id} and ${matchingOwn(query)} ${after(query.cursor)}
        order by own.campaign_id desc limit 101)
    ), newest as (select id from ids order by id desc limit ${rowLimit(query.limit + 1)})
    select ${columns} from ${seenBy(user.id)} where c.id in (select id from newest)
    order by c.id desc`,
  )
}

/** Whether a campaign belongs in this list, and the tester has never been in it: a tester may join a campaign only once. */
const joinable = (
  testerId: string,
) => sql`c.status = 'LIVE' and c.disputed_since is null and c.dispute_lost_at is null and c.has_room
  and not exists (select from participations own where own.tester_id = ${testerId} and own.campaign_id = c.id)
  and not exists (select from bench_entries own where own.tester_id = ${testerId} and own.campaign_id = c.id)`

export const listAvailable = async (tx: Tx, user: SignedIn, query: AvailableQuery): Promise<CampaignRow[]> =>
  page(
    tx,
    query,
    sql`
    select ${columns} from ${seenBy(user.id)}
    where ${joinable(user.id)} and ${await matching(tx, query)} ${sorted(query)}`,
  )

/** The length of that list, counted up to `most`: an exact count of 40,000 is not worth its cost. */
export const countAvailable = (tx: Tx, testerId: string, most: number): Promise<number> =>
  tx.value(
    sql`select count(*) from (select from campaigns c where ${joinable(testerId)} limit ${fixedRowLimit(most)}) open`,
  )

/** Longest waiting first. The cursor is a submission, so it keeps its place when the campaign is submitted again. */
export const listPending = async (tx: Tx, user: SignedIn, query: PendingQuery): Promise<CampaignRow[]> =>
  page(
    tx,
    query,
    sql`
    select ${columns} from ${seenBy(user.id)}
    where c.status = 'PENDING_APPROVAL' and ${await matching(tx, query)}
      ${query.cursor ? sql`and c.submission > ${query.cursor}` : empty}
    order by c.submission limit ${rowLimit(query.limit + 1)}`,
  )

/** Links that wait for an admin, longest waiting first. The cursor is a request, which stays after it is decided. */
export const listPendingLinks = async (tx: Tx, user: SignedIn, query: PendingQuery): Promise<CampaignRow[]> =>
  page(
    tx,
    query,
    sql`
    select ${columns} from ${seenBy(user.id)}
    where (c.pending_link is not null or c.pending_group_link is not null) and ${await matching(tx, query)}
      ${query.cursor ? sql`and c.link_request > ${query.cursor}` : empty}
    order by c.link_request limit ${rowLimit(query.limit + 1)}`,
  )
