/** SQL of joining. */
import { raw, type Sql } from 'sql-template-tag'
import { empty, inTurn, join, sql, type Tx } from '../../kit/server/db.ts'
import type { KeyClaim } from '../../kit/server/idempotency.ts'
import type { CampaignStatus } from '../../campaigns/contract.ts'
import type { AccessMode } from '../../campaigns/terms.ts'
import type { NewPlayAddress } from '../../playAddresses/server/playAddresses.ts'
import type { CampaignTester, DeviceInfo } from '../contract.ts'
import { confirmedOrNeedNotBe } from '../../accounts/server/accounts.ts'
import { firstNoticeHours } from '../deadlines.ts'
import { type Requirements, versionToCompare } from '../eligibility.ts'
import { freshColumns, type WholeRow } from './rows.ts'

export type CampaignToJoin = Requirements & {
  id: string
  status: CampaignStatus
  durationDays: number
  dailyCheckIn: boolean
  reviewHours: number
  atRiskHours: number
  dropHours: number
  seatsTaken: number
  closedSeats: number
  offeredSeats: number
  testersRequired: number
  accessMode: AccessMode
  developerName: string
  benchTesters: number
  /** Whether a seat is held for the tester; null when they are not on the bench. */
  benchOffer: boolean | null
  joinedBefore: boolean
  /** A payment of it is disputed, or a dispute about it was lost. */
  takesNobody: boolean
}

/** The device of the tester's newest test, whatever its status. */
export const lastDeviceOf = (tx: Tx, testerId: string): Promise<CampaignTester['deviceInfo'] | undefined> =>
  tx.maybe(sql`select device_platform as platform, device_os_version as "osVersion", device_model as model,
      device_manufacturer as manufacturer
    from participations where tester_id = ${testerId} order by id desc limit 1`)

/** Like every other load, only for a campaign that the tester may see: one that is LIVE, or that the tester is or was in. */
export const campaignToJoin = (tx: Tx, testerId: string, id: string): Promise<CampaignToJoin> =>
  tx.one(
    sql`select id, status, platform, country_codes as "countryCodes", min_android_version as "minAndroidVersion",
      min_ios_version as "minIOSVersion", duration_days as "durationDays", daily_check_in as "dailyCheckIn",
      review_hours as "reviewHours", at_risk_hours as "atRiskHours", drop_hours as "dropHours",
      seats_taken as "seatsTaken", closed_seats as "closedSeats", offered_seats as "offeredSeats",
      testers_required as "testersRequired", access_mode as "accessMode",
      (select name from users where id = c.developer_id) as "developerName",
      disputed_since is not null or dispute_lost_at is not null as "takesNobody",
      bench_testers as "benchTesters",
      (select offered_at is not null from bench_entries where campaign_id = ${id} and tester_id = ${testerId}) as "benchOffer",
      exists(select from participations where campaign_id = ${id} and tester_id = ${testerId}) as "joinedBefore"
    from campaigns c where id = ${id} and (status = 'LIVE'
      or exists(select from participations where campaign_id = c.id and tester_id = ${testerId})
      or exists(select from bench_entries where campaign_id = c.id and tester_id = ${testerId}))`,
    'Campaign',
  )

export type Seat = {
  id: string
  campaignId: string
  testerId: string
  device: DeviceInfo
  /** Null if none was given: then the tester can join only a campaign with an open link. */
  address: NewPlayAddress | null
  now: string
  /** The idempotency key to claim with the seat, if the request has one. */
  claim?: KeyClaim | undefined
}

/** The columns of `asked`, with their types; none has the name of a campaign's column. */
const askedColumns: [name: string, type: string, of: (seat: Seat) => unknown][] = [
  ['new_id', 'uuid', seat => seat.id],
  ['campaign_id', 'uuid', seat => seat.campaignId],
  ['tester_id', 'uuid', seat => seat.testerId],
  ['device_platform', 'text', seat => seat.device.platform ?? null],
  ['device_os_version', 'text', seat => seat.device.osVersion ?? null],
  ['os_version_parts', 'text', seat => versionToCompare(seat.device.osVersion)?.join('.') ?? null],
  ['device_model', 'text', seat => seat.device.model],
  ['device_manufacturer', 'text', seat => seat.device.manufacturer ?? null],
  ['device_fingerprint', 'text', seat => seat.device.fingerprint ?? null],
  ['sealed_address', 'bytea', seat => seat.address?.sealed ?? null],
  ['address_hash', 'bytea', seat => seat.address?.hash ?? null],
  ['consent_version', 'int', seat => seat.address?.consentVersion ?? null],
  ['asked_at', 'timestamptz', seat => seat.now],
  ['idempotency_key', 'text', seat => seat.claim?.key ?? null],
  ['request_hash', 'bytea', seat => seat.claim?.requestHash ?? null],
]

const askedNames = raw(askedColumns.map(([name]) => name).join(', '))

const askedFor = (seat: Seat): Sql =>
  sql`select ${join(askedColumns.map(([name, type, of]) => sql`${of(seat)}::${raw(type)} as ${raw(name)}`))}`

const askedForAll = (seats: readonly Seat[]): Sql =>
  sql`select ${askedNames} from unnest(${join(
    askedColumns.map(([, type, of]) => sql`${seats.map(of)}::${raw(type)}[]`),
  )}) as asked (${askedNames})`

/**
 * What eligibility.ts says in words, of the campaign `c` and the tester: joining.test.ts holds the two together. The version
 * has as many parts as a campaign can ask for.
 */
const fits = sql`
  (t.device_platform is null or c.platform = t.device_platform)
  and (cardinality(c.country_codes) = 0 or t.country = any(c.country_codes))
  and coalesce(string_to_array(t.os_version_parts, '.')::int[] >= string_to_array(
    case c.platform when 'android' then c.min_android_version else c.min_ios_version end, '.')::int[],
    case c.platform when 'android' then c.min_android_version else c.min_ios_version end is null)`

/**
 * When `wakeAt` (deadlines.ts) has to look at a new test for the first time; joining.test.ts holds the two together. The
 * time of a warning comes before the time of the drop.
 */
const hoursToFirstWake = sql`case when nda_version is not null then at_risk_hours when access_mode <> 'OPEN_LINK' then ${firstNoticeHours}::int
  when daily_check_in then at_risk_hours else 24 * duration_days + at_risk_hours end`

/** Whether the days begin with the seat: no list and no NDA comes first (decisions 027 and 037). */
const beginsNow = sql`(access_mode = 'OPEN_LINK' and nda_version is null)`

/** Not part of the statement without an address: PostgreSQL would prepare the insert, which is a twentieth of a join. */
const keptAddresses = sql`, address as (
      insert into play_addresses (participation_id, tester_id, sealed, address_hash, same_address, consent_version, consented_at)
      select new_id, tester_id, sealed_address, c.address_hash,
        coalesce((select same_address from play_addresses a where a.address_hash = c.address_hash limit 1), new_id),
        consent_version, asked_at
      from seat c where c.access_mode <> 'OPEN_LINK'
    )`

/** Locks the rows that nobody else has locked. The statement takes nothing else, so it waits for no row. */
const freeTesters = sql`free_testers as materialized (
      select u.id from asked a join users u on u.id = a.tester_id for no key update of u skip locked
    ), `
const freeCampaigns = sql`free_campaigns as materialized (
      select c.id from tester t join campaigns c on c.id = t.campaign_id for no key update of c skip locked
    ), `

/** A key that is claimed already would be an error, and undo everybody's seat. */
const keyIsNew = sql`not exists (select from idempotency_keys k where k.user_id = a.tester_id and k.key = a.idempotency_key
  offset 0)`

/**
 * Takes seats in one statement, so that a campaign's row is locked for a single round trip. A statement that waits for the lock
 * sees the new count, so the last seat is given once. Locks the tester's row before the campaign's, as a suspension does, so that
 * a suspended tester takes no seat. With a seat its idempotency key is claimed, exactly once, because nothing is joined with what the
 * insert reads. The offsets and the limit keep PostgreSQL from joining whole tables for a few seats.
 */
const seatsTaken = (seats: readonly Seat[], asked: Sql, isShared: boolean): Sql => sql`
    with asked as (${asked}), ${isShared ? freeTesters : empty}tester as materialized (
      select a.*, u.country, u.time_zone as tester_zone
      from asked a join users u on u.id = a.tester_id ${isShared ? sql`join free_testers f on f.id = u.id` : empty},
        (select * from settings limit 1) s
      where ${confirmedOrNeedNotBe()} ${isShared ? sql`and ${keyIsNew}` : empty}
        and hold_tester(${isShared ? sql`f.id` : sql`u.id`}) < s.open_tests_per_tester
    ), ${isShared ? freeCampaigns : empty}seat as (
      update campaigns c set seats_taken = seats_taken + 1, open_testers = open_testers + 1, joins_ever = joins_ever + 1,
        end_date = case when ${beginsNow}
          then greatest(end_date, t.asked_at + interval '24 hours' * duration_days) else end_date end
      from tester t ${isShared ? sql`join free_campaigns f on f.id = t.campaign_id` : empty}
      where c.id = ${isShared ? sql`f.id` : sql`t.campaign_id`} and c.status = 'LIVE'
        and c.disputed_since is null and c.dispute_lost_at is null and seats_taken + closed_seats + offered_seats < testers_required
        and (c.access_mode = 'OPEN_LINK' or t.address_hash is not null) and ${fits}
        and (t.address_hash is null or not play_account_taken(c.id, t.tester_id, t.address_hash))
        and not exists (select from participations o where o.campaign_id = t.campaign_id and o.tester_id = t.tester_id offset 0)
        and not exists (select from bench_entries o where o.campaign_id = t.campaign_id and o.tester_id = t.tester_id offset 0)
      returning c.*, t.*
    ), joined as (
      insert into participations (id, campaign_id, tester_id, ordinal, status, device_platform, device_os_version,
        device_model, device_manufacturer, device_fingerprint, time_zone, joined_at, proof_allowed_at, last_seen_at,
        payout_amount_cents, wake_at, nda_joined)
      select new_id, id, tester_id, joins_ever, 'ACTIVE', device_platform, device_os_version,
        device_model, device_manufacturer, device_fingerprint, tester_zone, asked_at,
        case when ${beginsNow} then asked_at + interval '24 hours' * duration_days end,
        asked_at, pay_per_tester_cents, asked_at + interval '1 hour' * ${hoursToFirstWake}, nda_version
      from seat where idempotency_key is null or claim_key(tester_id, idempotency_key, request_hash, new_id, asked_at)
      returning *
    )${seats.some(({ address }) => address) ? keptAddresses : empty}
    select ${freshColumns} from joined p join seat c on c.id = p.campaign_id`

/**
 * Undefined if the tester gets no seat, for whatever reason; a tester on the campaign's bench violates the unique key. Outside a
 * transaction, joins of a campaign take turns.
 */
export const takeSeat = (tx: Tx, seat: Seat): Promise<WholeRow | undefined> =>
  tx.maybe(inTurn(seat.campaignId, seatsTaken([seat], askedFor(seat), false)))

/** Takes those of the seats that can be had without waiting for anybody. They must be of different campaigns and testers. */
export const takeFreeSeats = (seats: readonly Seat[]): Sql => seatsTaken(seats, askedForAll(seats), true)

/** How many open tests the tester has. */
export const countOpen = (testerId: Sql): Sql => sql`(select count(*) from participations o
  where o.tester_id = ${testerId} and o.closed_at is null and o.status not in ('REJECTED', 'APPEALED'))`

/** Whether another tester who is in the campaign, or is offered a seat of it, has the Google account. */
export const isAccountTaken = (tx: Tx, seat: Pick<Seat, 'campaignId' | 'testerId'>, hash: Buffer): Promise<boolean> =>
  tx.value(sql`select play_account_taken(${seat.campaignId}, ${seat.testerId}, ${hash})`)

/** How many open tests the tester has, and how many are allowed. */
export const openTests = (tx: Tx, testerId: string): Promise<{ open: number; most: number }> =>
  tx.one(sql`select open_tests_per_tester as most, ${countOpen(sql`${testerId}`)} as open from settings`, 'Settings')
