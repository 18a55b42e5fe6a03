/** SQL of joining. */
import type { Sql } from 'sql-template-tag'
import { empty, inTurn, sql, type Tx } from '../../kit/server/db.ts'
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
}

/**
 * What eligibility.ts says in words, of the campaign `c` and the tester: joining.test.ts holds the two together. The version
 * has as many parts as a campaign can ask for.
 */
const fits = ({ platform, osVersion }: DeviceInfo) => sql`
  (c.platform = ${platform ?? null}::text or ${platform === undefined})
  and (cardinality(c.country_codes) = 0 or tester.country = any(c.country_codes))
  and coalesce(${versionToCompare(osVersion)}::int[] >= string_to_array(
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
const keptAddress = ({ sealed, hash, consentVersion }: NewPlayAddress, now: string) => sql`, address as (
      insert into play_addresses (participation_id, tester_id, sealed, address_hash, same_address, consent_version, consented_at)
      select p.id, p.tester_id, ${sealed}, ${hash}::bytea,
        coalesce((select same_address from play_addresses where address_hash = ${hash}::bytea limit 1), p.id), ${consentVersion}, ${now}
      from joined p join seat c on c.access_mode <> 'OPEN_LINK'
    )`

/**
 * Takes a seat in one statement, so that the campaign's row is locked for a single round trip. A statement that waits for the
 * lock sees the new count, so the last seat is given once. Undefined if the tester gets no seat, for whatever reason; a tester on
 * the campaign's bench violates the unique key. Locks the tester's row before the campaign's, as a suspension does, so that a
 * suspended tester takes no seat. `claim` is an idempotency key's.
 */
export const takeSeat = (
  tx: Tx,
  { device, address, ...seat }: Seat,
  claim: Sql = sql`true`,
): Promise<WholeRow | undefined> =>
  tx.maybe(
    inTurn(
      seat.campaignId,
      sql`
    with tester as materialized (
      select u.country, u.time_zone as tester_zone from users u, settings s
      where u.id = ${seat.testerId} and ${confirmedOrNeedNotBe()} and hold_tester(u.id) < s.open_tests_per_tester
    ), seat as (
      update campaigns c set seats_taken = seats_taken + 1, open_testers = open_testers + 1, joins_ever = joins_ever + 1,
        end_date = case when ${beginsNow}
          then greatest(end_date, ${seat.now}::timestamptz + interval '24 hours' * duration_days) else end_date end
      from tester where c.id = ${seat.campaignId} and c.status = 'LIVE'
        and c.disputed_since is null and c.dispute_lost_at is null and seats_taken + closed_seats + offered_seats < testers_required
        and (c.access_mode = 'OPEN_LINK' or ${address !== null}) and ${fits(device)}
        and (${address === null} or not play_account_taken(c.id, ${seat.testerId}, ${address?.hash ?? null}::bytea))
        and not exists (select from participations where campaign_id = ${seat.campaignId} and tester_id = ${seat.testerId})
        and not exists (select from bench_entries where campaign_id = ${seat.campaignId} and tester_id = ${seat.testerId})
      returning c.*, tester.tester_zone
    ), joined as (
      insert into participations (id, campaign_id, tester_id, ordinal, status, device_platform, device_os_version,
        device_model, device_manufacturer, device_fingerprint, time_zone, joined_at, proof_allowed_at, last_seen_at,
        payout_amount_cents, wake_at, nda_joined)
      select ${seat.id}, id, ${seat.testerId}, joins_ever, 'ACTIVE', ${device.platform ?? null}, ${device.osVersion ?? null},
        ${device.model}, ${device.manufacturer ?? null}, ${device.fingerprint ?? null}, tester_zone, ${seat.now},
        case when ${beginsNow} then ${seat.now}::timestamptz + interval '24 hours' * duration_days end,
        ${seat.now}, pay_per_tester_cents, ${seat.now}::timestamptz + interval '1 hour' * ${hoursToFirstWake}, nda_version from seat
      returning *
    )${address ? keptAddress(address, seat.now) : empty}
    select ${freshColumns} from joined p join seat c on c.id = p.campaign_id where ${claim}`,
    ),
  )

/** How many open tests the tester has. */
export const countOpen = (testerId: Sql): Sql => sql`(select count(*) from participations o
  where o.tester_id = ${testerId} and o.closed_at is null and o.status not in ('REJECTED', 'APPEALED'))`

/** Whether another tester who is in the campaign, or is offered a seat of it, has the Google account. */
export const isAccountTaken = (tx: Tx, seat: Pick<Seat, 'campaignId' | 'testerId'>, hash: Buffer): Promise<boolean> =>
  tx.value(sql`select play_account_taken(${seat.campaignId}, ${seat.testerId}, ${hash})`)

/** How many open tests the tester has, and how many are allowed. */
export const openTests = (tx: Tx, testerId: string): Promise<{ open: number; most: number }> =>
  tx.one(sql`select open_tests_per_tester as most, ${countOpen(sql`${testerId}`)} as open from settings`, 'Settings')
