import type { SignedIn } from '../../kit/endpoint.ts'
import { empty, join, planEachTime, sql, type Tx } from '../../kit/server/db.ts'
import type { CampaignQuery, CampaignStatus, Platform } from '../contract.ts'
import type { EditableField } from '../terms.ts'

/** A campaign as stored, with what the viewer has to do with it. */
export type CampaignRow = {
  id: string
  developerId: string
  developerName: string
  title: string
  description: string
  platform: Platform
  distributionLink: string
  testersRequired: number
  payPerTesterCents: number
  durationDays: number
  dailyCheckIn: boolean
  countries: string[]
  minAndroidVersion: string | null
  minIOSVersion: string | null
  countryCodes: string[]
  status: CampaignStatus
  feeBasisPoints: number
  reviewHours: number
  atRiskHours: number
  dropHours: number
  quotedFeeCents: number
  fundedCents: number
  feeCents: number
  seatsTaken: number
  verifiedTesters: number
  startDate: string | null
  endDate: string | null
  rejectionReason: string | null
  submittedAt: string | null
  createdAt: string
  participationId: string | null
  participationStatus: string | null
}

const columns = sql`c.id, c.developer_id as "developerId", d.name as "developerName", c.title, c.description, c.platform,
  c.distribution_link as "distributionLink", c.testers_required as "testersRequired",
  c.pay_per_tester_cents as "payPerTesterCents", c.duration_days as "durationDays",
  c.daily_check_in as "dailyCheckIn", c.countries, c.min_android_version as "minAndroidVersion",
  c.min_ios_version as "minIOSVersion", c.country_codes as "countryCodes", c.status,
  c.fee_basis_points as "feeBasisPoints", c.review_hours as "reviewHours", c.at_risk_hours as "atRiskHours",
  c.drop_hours as "dropHours", c.quoted_fee_cents as "quotedFeeCents", c.funded_cents as "fundedCents",
  c.fee_cents as "feeCents", c.seats_taken as "seatsTaken", c.verified_testers as "verifiedTesters",
  c.start_date as "startDate", c.end_date as "endDate", c.rejection_reason as "rejectionReason",
  c.submitted_at as "submittedAt",
  c.created_at as "createdAt", p.id as "participationId", p.status as "participationStatus"`

/** The campaign, its developer's name, and the viewer's own participation. */
const seenBy = (viewerId: string) => sql`campaigns c join users d on d.id = c.developer_id
  left join participations p on p.campaign_id = c.id and p.tester_id = ${viewerId}`

/** Loads go through what the caller may see: somebody else's campaign is not found (product.md §5). */
const visibleTo = (user: SignedIn) => {
  if (user.role === 'ADMIN') return sql`true`
  return user.role === 'DEVELOPER' ? sql`c.developer_id = ${user.id}` : sql`(c.status = 'LIVE' or p.id is not null)`
}

export const campaignFor = (tx: Tx, user: SignedIn, id: string): Promise<CampaignRow> =>
  tx.one(sql`select ${columns} from ${seenBy(user.id)} where c.id = ${id} and ${visibleTo(user)}`, 'Campaign')

export const lockCampaignFor = (tx: Tx, user: SignedIn, id: string): Promise<CampaignRow> =>
  tx.one(
    sql`select ${columns} from ${seenBy(user.id)} where c.id = ${id} and ${visibleTo(user)} for update of c`,
    'Campaign',
  )

type Filters = Pick<CampaignQuery, 'search' | 'platform'> & Partial<Pick<CampaignQuery, 'status'>>

/** For `like`: the pattern's own signs are taken literally. PostgreSQL lowers it as it lowered the stored text. */
const pattern = (search: string) => `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** A trigram needs three letters: with fewer the index would be read as a whole, and the list's own order is better. */
const contains = (search: string) =>
  search.length < 3
    ? sql`position(lower(${search}) in c.search_text) > 0`
    : sql`c.search_text like lower(${pattern(search)})`

const matching = ({ search, platform, status }: Filters) =>
  join(
    [
      sql`true`,
      ...(search ? [contains(search)] : []),
      ...(platform ? [sql`c.platform = ${platform}`] : []),
      ...(status ? [sql`c.status = ${status}`] : []),
    ],
    ' and ',
  )

const after = (cursor: string | undefined) => (cursor ? sql`and c.id < ${cursor}` : empty)

const page = (tx: Tx, { search }: Filters, statement: ReturnType<typeof sql>): Promise<CampaignRow[]> =>
  tx.rows(search ? planEachTime(statement) : statement)

/** Newest first. One row more than asked for says that there is another page. */
export const listFor = (tx: Tx, user: SignedIn, query: CampaignQuery): Promise<CampaignRow[]> => {
  if (user.role === 'TESTER') return listForTester(tx, user, query)
  return page(
    tx,
    query,
    sql`
    select ${columns} from ${seenBy(user.id)}
    where ${visibleTo(user)} and ${matching(query)} ${after(query.cursor)}
    order by c.id desc limit ${query.limit + 1}`,
  )
}

/**
 * LIVE ones and one's own, each by its own index: "or" between them would walk the whole table. The inner limits are
 * the most that a page may ask for, as literals: a prepared plan that cannot see how few there are joins whole tables
 * (seen on 100,000 campaigns: 435 ms against 1).
 */
const listForTester = (tx: Tx, user: SignedIn, query: CampaignQuery): Promise<CampaignRow[]> =>
  page(
    tx,
    query,
    sql`
    with ids as (
      (select c.id from campaigns c where c.status = 'LIVE' and ${matching(query)} ${after(query.cursor)}
        order by c.id desc limit 101)
      union
      (select c.id from participations own join campaigns c on c.id = own.campaign_id
        where own.tester_id = ${user.id} and ${matching(query)} ${after(query.cursor)}
        order by own.campaign_id desc limit 101)
    ), newest as (select id from ids order by id desc limit ${query.limit + 1})
    select ${columns} from ${seenBy(user.id)} where c.id in (select id from newest)
    order by c.id desc`,
  )

export const listAvailable = (tx: Tx, user: SignedIn, query: CampaignQuery): Promise<CampaignRow[]> =>
  page(
    tx,
    query,
    sql`
    select ${columns} from ${seenBy(user.id)}
    where c.status = 'LIVE' and c.seats_taken < c.testers_required and ${matching(query)} ${after(query.cursor)}
    order by c.id desc limit ${query.limit + 1}`,
  )

/** Waiting longest first. */
export const listPending = (tx: Tx, user: SignedIn, query: CampaignQuery): Promise<CampaignRow[]> =>
  page(
    tx,
    query,
    sql`
    select ${columns} from ${seenBy(user.id)}
    where c.status = 'PENDING_APPROVAL' and ${matching(query)}
      ${query.cursor ? sql`and (c.submitted_at, c.id) > (select submitted_at, id from campaigns where id = ${query.cursor})` : empty}
    order by c.submitted_at, c.id limit ${query.limit + 1}`,
  )

export type Terms = Pick<
  CampaignRow,
  | 'title'
  | 'description'
  | 'platform'
  | 'distributionLink'
  | 'testersRequired'
  | 'payPerTesterCents'
  | 'durationDays'
  | 'dailyCheckIn'
  | 'countries'
  | 'countryCodes'
  | 'minAndroidVersion'
  | 'minIOSVersion'
  | 'quotedFeeCents'
>

export const insertDraft = (
  tx: Tx,
  draft: Terms &
    Pick<
      CampaignRow,
      'id' | 'developerId' | 'feeBasisPoints' | 'reviewHours' | 'atRiskHours' | 'dropHours' | 'createdAt'
    >,
): Promise<number> =>
  tx.run(sql`
    insert into campaigns (id, developer_id, title, description, platform, distribution_link, testers_required,
      pay_per_tester_cents, duration_days, daily_check_in, countries, country_codes, min_android_version,
      min_ios_version, status, fee_basis_points, review_hours, at_risk_hours, drop_hours, quoted_fee_cents, created_at)
    values (${draft.id}, ${draft.developerId}, ${draft.title}, ${draft.description}, ${draft.platform},
      ${draft.distributionLink}, ${draft.testersRequired}, ${draft.payPerTesterCents}, ${draft.durationDays},
      ${draft.dailyCheckIn}, ${draft.countries}, ${draft.countryCodes}, ${draft.minAndroidVersion},
      ${draft.minIOSVersion}, 'DRAFT', ${draft.feeBasisPoints}, ${draft.reviewHours},
      ${draft.atRiskHours}, ${draft.dropHours}, ${draft.quotedFeeCents}, ${draft.createdAt})`)

/** New terms for a draft that the caller has locked; gives back a surplus under `refundId`. */
export const changeTerms = async (
  tx: Tx,
  id: string,
  terms: Terms,
  refundId: string,
  now: string,
): Promise<'OK' | 'WRONG_STATE'> => {
  const row = await tx.one<{ outcome: 'OK' | 'WRONG_STATE' }>(
    sql`select change_campaign_terms(${id}, ${terms.platform}, ${terms.testersRequired},
      ${terms.payPerTesterCents}, ${terms.durationDays}, ${terms.quotedFeeCents}, ${terms.dailyCheckIn},
      ${terms.countries}, ${terms.countryCodes}, ${terms.minAndroidVersion}, ${terms.minIOSVersion}, ${terms.title},
      ${terms.description}, ${terms.distributionLink}, ${refundId}, ${now}) as outcome`,
    'Campaign',
  )
  return row.outcome
}

export const changeTexts = (
  tx: Tx,
  id: string,
  texts: Pick<Terms, 'title' | 'description' | 'distributionLink'>,
): Promise<number> =>
  tx.run(sql`update campaigns set title = ${texts.title}, description = ${texts.description},
    distribution_link = ${texts.distributionLink} where id = ${id}`)

export const submit = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update campaigns set status = 'PENDING_APPROVAL', status_since = ${now}, submitted_at = ${now},
    rejection_reason = null where id = ${id}`)

export const setStatus = (tx: Tx, id: string, status: CampaignStatus, now: string): Promise<number> =>
  tx.run(sql`update campaigns set status = ${status}, status_since = ${now} where id = ${id}`)

export const setRejected = (tx: Tx, id: string, reason: string, now: string): Promise<number> =>
  tx.run(sql`update campaigns set status = 'REJECTED', status_since = ${now}, rejection_reason = ${reason}
    where id = ${id}`)

/** The first start sets both dates; going on after a pause leaves them. A day is 24 hours, whatever a zone's clocks do. */
export const setLive = (tx: Tx, id: string, now: string): Promise<number> =>
  tx.run(sql`update campaigns set status = 'LIVE', status_since = ${now}, start_date = coalesce(start_date, ${now}),
    end_date = coalesce(end_date, ${now}::timestamptz + make_interval(hours => 24 * duration_days)) where id = ${id}`)

/** Who was still testing when the campaign was cancelled. */
export const cancelledTests = (tx: Tx, campaignId: string): Promise<{ id: string; testerId: string }[]> =>
  tx.rows(sql`select id, tester_id as "testerId" from participations
    where campaign_id = ${campaignId} and status = 'CANCELLED'`)

/** Of a developer who was suspended: no new testers, those inside go on. */
export const pauseLiveOf = (tx: Tx, developerId: string, now: string): Promise<number> =>
  tx.run(
    sql`update campaigns set status = 'PAUSED', status_since = ${now} where developer_id = ${developerId} and status = 'LIVE'`,
  )

export const insertEdit = (
  tx: Tx,
  campaignId: string,
  fields: readonly EditableField[],
  now: string,
): Promise<number> =>
  tx.run(sql`insert into campaign_events (campaign_id, at, kind, facts)
    values (${campaignId}, ${now}, 'EDITED', jsonb_build_object('fields', ${fields}::text[]))`)
