import type { SignedIn } from '../../kit/endpoint.ts'
import { type Due, type Hold, holding, nextPage, type Page } from '../../kit/server/batches.ts'
import { empty, sql, type Tx } from '../../kit/server/db.ts'
import { rowLimit } from '../../kit/server/rowLimits.ts'
import type { NewPlayAddress } from '../../playAddresses/server/playAddresses.ts'
import type { DeviceInfo } from '../contract.ts'
import { offerHours } from '../terms.ts'
import { matchingOwn } from '../../campaigns/server/campaigns.ts'
import type { OwnQuery } from './queries.ts'
import { lockPeopleAndCampaigns } from './due.queries.ts'
import { confirmedOrNeedNotBe } from '../../accounts/server/accounts.ts'
import type { Requirements } from '../eligibility.ts'
import { countOpen } from './joining.queries.ts'
import { type SharedRow, sharedColumns, visibleTo } from './rows.ts'

export type BenchRow = SharedRow &
  Omit<Requirements, 'platform'> & {
    id: string
    campaignId: string
    testerId: string
    enteredAt: string
    offerEndsAt: string | null
    /** Place in the line; 1 is next. */
    line: number
    timeZone: string
    freeSeats: number
    takesNobody: boolean
    openTests: number
    mostOpenTests: number
    /** Where the Google account is another tester's: in the campaign, or only for a seat that is held for them. */
    accountTakenBy: 'TESTER' | 'OFFER' | null
    /** Of the tester's profile. */
    country: string | null
    mustConfirmEmail: boolean
  }

const accountTaken = sql`case when e.address_hash is null or not play_account_taken(e.campaign_id, e.tester_id, e.address_hash) then null
    when exists (select from play_addresses a join participations p on p.id = a.participation_id
      where a.address_hash = e.address_hash and a.tester_id <> e.tester_id and p.campaign_id = e.campaign_id
        and (p.closed_at is null or p.status = 'VERIFIED')) then 'TESTER'
    else 'OFFER' end`

const columns = () => sql`e.id, e.campaign_id as "campaignId", e.tester_id as "testerId", ${sharedColumns('e')},
  e.entered_at as "enteredAt", after_downtimes(e.offered_at, ${offerHours}) as "offerEndsAt",
  (select count(*) from bench_entries before where before.campaign_id = e.campaign_id and before.place <= e.place) as line,
  e.time_zone as "timeZone", c.testers_required - c.seats_taken - c.closed_seats - c.offered_seats as "freeSeats",
  c.disputed_since is not null or c.dispute_lost_at is not null as "takesNobody",
  ${countOpen(sql`e.tester_id`)} as "openTests", s.open_tests_per_tester as "mostOpenTests",
  ${accountTaken} as "accountTakenBy", u.country, not ${confirmedOrNeedNotBe()} as "mustConfirmEmail",
  c.country_codes as "countryCodes", c.min_android_version as "minAndroidVersion", c.min_ios_version as "minIOSVersion"`
const tables = sql`bench_entries e join campaigns c on c.id = e.campaign_id join users u on u.id = e.tester_id cross join settings s`

export const entryOf = (tx: Tx, testerId: string, id: string): Promise<BenchRow | undefined> =>
  tx.maybe(sql`select ${columns()} from ${tables} where e.id = ${id} and e.tester_id = ${testerId}`)

/** Under this id, of a campaign or of a tester whose tests the caller may see. */
export const isOnBench = (tx: Tx, user: SignedIn, id: string): Promise<boolean> =>
  tx.value(sql`select exists (select from bench_entries p join campaigns c on c.id = p.campaign_id
    where p.id = ${id} and ${visibleTo(user)})`)

export const entriesOf = (
  tx: Tx,
  testerId: string,
  { limit, cursor, search, platform }: Omit<OwnQuery, 'status'>,
): Promise<BenchRow[]> =>
  tx.rows(sql`select ${columns()} from ${tables}
    where e.tester_id = ${testerId} and ${matchingOwn({ search, platform })} ${cursor ? sql`and e.id < ${cursor}` : empty}
    order by e.id desc limit ${rowLimit(limit + 1)}`)

export type NewEntry = {
  id: string
  campaignId: string
  testerId: string
  now: string
  device: DeviceInfo
  address: NewPlayAddress | null
  timeZone: string
}

export type EnterOutcome = 'OK' | 'SUSPENDED' | 'WRONG_STATE' | 'JOINED' | 'SEAT_FREE' | 'FULL'

export const enter = (tx: Tx, { device, address, ...entry }: NewEntry): Promise<EnterOutcome> =>
  tx.value(
    sql`select enter_bench(jsonb_populate_record(null::bench_entries, ${JSON.stringify({
      id: entry.id,
      campaign_id: entry.campaignId,
      tester_id: entry.testerId,
      entered_at: entry.now,
      device_platform: device.platform ?? null,
      device_os_version: device.osVersion ?? null,
      device_model: device.model,
      device_manufacturer: device.manufacturer ?? null,
      device_fingerprint: device.fingerprint ?? null,
      time_zone: entry.timeZone,
      address_sealed: address ? `\\x${address.sealed.toString('hex')}` : null,
      address_hash: address ? `\\x${address.hash.toString('hex')}` : null,
      consent_version: address?.consentVersion ?? null,
    })}::jsonb))`,
  )

export type AcceptOutcome = 'OK' | 'SUSPENDED' | 'NOT_FOUND' | 'LIMIT_REACHED' | 'WRONG_STATE' | 'FULL'

export const accept = (
  tx: Tx,
  { id, testerId }: { id: string; testerId: string },
  { proofAllowedAt, wakeAt, now }: { proofAllowedAt: string | null; wakeAt: string | null; now: string },
): Promise<AcceptOutcome> =>
  tx.value(sql`select accept_seat(${id}, ${testerId}, ${proofAllowedAt}::timestamptz, ${wakeAt}::timestamptz, ${now})`)

export const accountTakenBy = (tx: Tx, id: string): Promise<BenchRow['accountTakenBy']> =>
  tx.value(sql`select ${accountTaken} from bench_entries e where e.id = ${id}`)

export const leave = (tx: Tx, id: string, now: string): Promise<'OK' | 'NOT_FOUND'> =>
  tx.value(sql`select leave_bench(${id}, ${now})`)

export type Offer = Due & { testerId: string; campaignId: string; title: string }

const offered = sql`select e.id, e.tester_id as "testerId", e.campaign_id as "campaignId", c.title, due.at::text as at`
const ofOffers = sql`join bench_entries e on e.id = due.id join campaigns c on c.id = e.campaign_id order by due.at, e.id`

export const endedOffers = (tx: Tx, now: string, page: Page): Promise<Offer[]> =>
  tx.rows(sql`${offered} from (select id, offer_ends_at as at from bench_entries
      where offered_at is not null and offer_ends_at <= ${now} ${nextPage(sql`offer_ends_at`, page)}) due ${ofOffers}`)

/** Offers whose time was over when a pause or a dispute withdrew them. */
export const untoldPasses = (tx: Tx, page: Page): Promise<Offer[]> =>
  tx.rows(sql`${offered} from (select id, entered_at as at from bench_entries
      where pass_untold ${nextPage(sql`entered_at`, page)}) due ${ofOffers}`)

export const untoldOffers = (tx: Tx, page: Page): Promise<Offer[]> =>
  tx.rows(sql`${offered} from (select id, offered_at as at from bench_entries
      where offered_at is not null and not told ${nextPage(sql`offered_at`, page)}) due ${ofOffers}`)

/** Offers to testers who were told that a seat was taken back, and then got another one within an hour of hearing of the first. */
export const lateOffers = (tx: Tx, since: string, page: Page): Promise<Offer[]> =>
  tx.rows(sql`${offered} from (select id, told_at as at from bench_entries
      where offered_at is not null and taken_back_told_at is not null and taken_back_told_at > told_at and told_at <= ${since} ${nextPage(sql`told_at`, page)}) due ${ofOffers}`)

/** Offers that the testers were told of, that a pause or a dispute took back, and that were not made again since. */
export const takenBackOffers = (tx: Tx, page: Page): Promise<Offer[]> =>
  tx.rows(sql`${offered} from (select id, told_at as at from bench_entries
      where taken_back and taken_back_told_at is null and offered_at is null ${nextPage(sql`told_at`, page)}) due ${ofOffers}`)

/** Also locks their testers and campaigns. Resolves with the ids of those that are still on a bench. */
export const lockOffers = async (tx: Tx, offers: readonly Offer[], hold: Hold): Promise<string[]> => {
  const of = (key: 'testerId' | 'campaignId') => [...new Set(offers.map(offer => offer[key]))]
  const { users, campaigns } = await lockPeopleAndCampaigns(
    tx,
    { users: of('testerId'), campaigns: of('campaignId') },
    hold,
  )
  const rows = await tx.rows<{ id: string }>(sql`select id from bench_entries
    where id = any(${offers.map(({ id }) => id)}) and tester_id = any(${users}) and campaign_id = any(${campaigns})
    order by id for update ${holding(hold)}`)
  return rows.map(({ id }) => id)
}

/** Resolves with the entries whose time was over. */
export const passSeats = (tx: Tx, ids: readonly string[], now: string): Promise<string[]> =>
  tx.value(sql`select pass_seats(${ids}, ${now})`)

/** Resolves with the entries whose testers had not been told that they let a seat pass. */
export const setPassTold = async (tx: Tx, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx.rows<{ id: string }>(
    sql`update bench_entries set pass_untold = null where id = any(${ids}) and pass_untold returning id`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Resolves with the entries whose seat is still taken back, and why. `PASSED_ON`: the campaign has resumed, and somebody else has
 * the seat.
 */
export const setTakenBackTold = (
  tx: Tx,
  ids: readonly string[],
  now: string,
): Promise<{ id: string; why: 'PAUSED' | 'CLOSED' | 'PASSED_ON' }[]> =>
  tx.rows(sql`update bench_entries e set taken_back_told_at = ${now} from campaigns c
    where e.id = any(${ids}) and c.id = e.campaign_id and e.taken_back and e.taken_back_told_at is null and e.offered_at is null
    returning e.id, case when c.status = 'PAUSED' then 'PAUSED'
      when c.status = 'LIVE' and c.disputed_since is null and c.dispute_lost_at is null then 'PASSED_ON' else 'CLOSED' end as why`)

/**
 * Whether they were told that the seat was taken back after they were told of it. An earlier release may have left an older time.
 */
const knowsOfTheEnd = sql`coalesce(taken_back_told_at > told_at, false)`

/**
 * Resolves with the entries whose testers have not been told of an offer since then: an offer that they know of ends no later than
 * this one. Testers who know that theirs was taken back are told later.
 */
export const setTold = async (
  tx: Tx,
  ids: readonly string[],
  { now, since }: { now: string; since: string },
): Promise<{ id: string; offerEndsAt: string }[]> => {
  const of = sql`id = any(${ids}) and offered_at is not null`
  const untold = await tx.rows<{ id: string; offerEndsAt: string }>(
    sql`update bench_entries set told = true, told_at = ${now}, taken_back = null, taken_back_told_at = null
      where ${of} and (not told or ${knowsOfTheEnd}) and (told_at is null or told_at <= ${since})
      returning id, offer_ends_at as "offerEndsAt"`,
  )
  await tx.run(
    sql`update bench_entries set told = true, taken_back = nullif(${knowsOfTheEnd}, false) where ${of} and not told`,
  )
  return untold
}

/** Removes the tester from every bench, locking the campaigns in the order of their ids. Resolves with the number of benches. */
export const leaveAll = (tx: Tx, testerId: string, now: string): Promise<number> =>
  tx.value(sql`select count(leave_bench(id, ${now})) from (
    select id from bench_entries where tester_id = ${testerId} order by campaign_id offset 0) entries`)
