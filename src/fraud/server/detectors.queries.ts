/** Queries of the detectors of devices, accounts and addresses: where steps end, then suspects, then the facts about them. */
import { sql, type Tx } from '../../kit/server/db.ts'
import {
  type DeviceAccount,
  type EarlyWithdrawal,
  type PlayAddressAccount,
  type SelfTest,
  thresholds,
} from '../rules.ts'
import type { MailAccount } from '../throwAwayMail.ts'
import { ends, type Fragment, keys, keysOfSeveral, type Step, times, within } from './steps.queries.ts'

const most = thresholds.factsOfOneFinding

/** The hash of a device, so that no report contains the device itself (decision 050). */
const hashOf = (device: Fragment) => sql`encode(sha256(convert_to(${device}, 'UTF8')), 'hex')`

const seenAt = times(sql`created_at`, sql`sessions where device_fingerprint <> ''`)
const seenLongAgo = times(sql`first_at`, sql`past_device_uses where true`)
const joinedOnDevice = times(sql`joined_at`, sql`participations where device_fingerprint <> ''`)
const joined = times(sql`joined_at`, sql`participations where true`)
const registered = times(sql`created_at`, sql`users where true`)
const confirmed = times(sql`email_verified_at`, sql`users where email_verified_at is not null`)
const withdrawn = times(sql`created_at`, sql`withdrawals where true`)

/**
 * A stranger's account that lost its address to the owner in a password reset (decision 019); its suspension says nothing about
 * the owner.
 */
const isParted = sql`s.email = 'unconfirmed-' || s.id || '@unconfirmed.invalid'`

export const endOfUses = ends(seenAt, seenLongAgo, joinedOnDevice)
export const endOfUsesAndJoins = ends(seenAt, seenLongAgo, joined)
export const endOfJoins = ends(joined)
export const endOfMail = ends(registered, confirmed)
export const endOfWithdrawals = ends(withdrawn)

/** Those of `fresh` on which several users were seen. */
const usedByMany = (tx: Tx, fresh: Fragment) =>
  keysOfSeveral(tx, fresh, { facts: sql`device_uses where device = fresh.key`, who: sql`user_id` })

/** Devices that somebody used in this step. */
export const sharedDevices = (tx: Tx, step: Step): Promise<string[]> =>
  usedByMany(tx, sql`select distinct device as key from device_uses where ${within(sql`at`, step)}`)

/** Devices that were used in this step, or whose user joined a campaign in it. */
export const devicesOfTests = (tx: Tx, step: Step): Promise<string[]> =>
  usedByMany(
    tx,
    sql`select device as key from device_uses where ${within(sql`at`, step)}
      union
      select u.device from (select distinct tester_id from participations where ${within(sql`joined_at`, step)}) p
        cross join lateral (select device from device_uses where user_id = p.tester_id offset 0) u`,
  )

/** Accounts on these devices, in the order in which they came to them. Leaves out admins, who sign in wherever they help. */
export const accountsOnDevices = (tx: Tx, devices: readonly string[]): Promise<DeviceAccount[]> =>
  tx.rows(sql`
    with used as (
      select fresh.device, seen.* from unnest(${devices}::text[]) fresh (device)
      cross join lateral (select user_id, min(at) as first_at, min(seq) as first_seq from device_uses
        where device = fresh.device group by user_id) seen
    ),
    people as (
      select used.*, s.role, s.suspended_at is not null as suspended,
        count(*) over (partition by device) as accounts,
        row_number() over (partition by device order by first_seq desc) as place
      from used cross join lateral (select * from users where id = used.user_id offset 0) s
      where s.role <> 'ADMIN' and s.deleted_at is null and not ${isParted}
    )
    select ${hashOf(sql`device`)} as "deviceHash", accounts, user_id as "userId", role, suspended, first_at as "firstAt"
    from people
    where accounts > 1 and place <= ${most} order by device, first_seq`)

/**
 * Participations whose tester shares one of these devices with the campaign's developer, with all devices that the two share.
 * Goes from the testers on a device to their own tests, which avoids pairing all of its testers with all of its developers.
 */
export const selfTests = (tx: Tx, devices: readonly string[]): Promise<SelfTest[]> =>
  tx.rows(sql`
    with testers as (
      select fresh.device, seen.user_id from unnest(${devices}::text[]) fresh (device)
      cross join lateral (select distinct user_id from device_uses where device = fresh.device offset 0) seen
    ),
    tests as (
      select distinct p.id, p.joined_at, p.status, p.tester_id, c.id as campaign_id, c.title, c.developer_id
      from testers
        cross join lateral (select * from participations where tester_id = testers.user_id offset 0) p
        cross join lateral (select * from campaigns where id = p.campaign_id offset 0) c
        cross join lateral (select from device_uses where device = testers.device and user_id = c.developer_id limit 1) used
    )
    select tests.id as "participationId", tests.campaign_id as "campaignId", tests.title as "campaignTitle",
      tests.developer_id as "developerId", tests.tester_id as "testerId", tests.joined_at as "joinedAt",
      tests.status = 'VERIFIED' as paid, ${hashOf(sql`t.device`)} as "deviceHash",
      d.first_at as "developerAt", t.first_at as "testerAt"
    from tests
      cross join lateral (select from users where id = tests.tester_id and role = 'TESTER' and deleted_at is null offset 0) ours
      cross join lateral (select from users where id = tests.developer_id and role = 'DEVELOPER' and deleted_at is null
        offset 0) theirs
      cross join lateral (select device, min(at) as first_at from device_uses where user_id = tests.tester_id
        group by device) t
      cross join lateral (select min(at) as first_at from device_uses
        where device = t.device and user_id = tests.developer_id) d
    where d.first_at is not null
    order by tests.id, d.first_at, t.device`)

/**
 * Keyed hashes of Play addresses with which somebody joined in this step and several accounts have joined. An address that was
 * given on the bench counts with the seat, however much later that comes.
 */
export const sharedAddresses = (tx: Tx, step: Step): Promise<string[]> =>
  keysOfSeveral(
    tx,
    sql`select distinct a.address_hash as key
      from (select id from participations where ${within(sql`joined_at`, step)}) p
        cross join lateral (select address_hash from play_addresses where participation_id = p.id offset 0) a
      where a.address_hash is not null`,
    {
      facts: sql`play_addresses where address_hash = fresh.key`,
      who: sql`tester_id`,
      asText: sql`encode(fresh.key, 'hex')`,
    },
  )

/** Accounts that joined with these Play addresses, in the order in which they joined. */
export const accountsOfPlayAddresses = (tx: Tx, hashes: readonly string[]): Promise<PlayAddressAccount[]> =>
  tx.rows(sql`
    with given as (
      select decode(fresh.hash, 'hex') as address_hash, seen.* from unnest(${hashes}::text[]) fresh (hash)
      cross join lateral (select a.tester_id, min(p.joined_at) as first_at, min(p.device_seq) as first_seq,
          min(a.same_address::text) as address
        from (select * from play_addresses where address_hash = decode(fresh.hash, 'hex') offset 0) a
          cross join lateral (select joined_at, device_seq from participations where id = a.participation_id offset 0) p
        group by a.tester_id) seen
    ),
    people as (
      select given.*, s.suspended_at is not null as suspended, count(*) over same_hash as accounts,
        min(address) over same_hash as same,
        row_number() over (partition by address_hash order by first_seq desc) as place
      from given cross join lateral (select * from users where id = given.tester_id offset 0) s
      where s.deleted_at is null and not ${isParted}
      window same_hash as (partition by address_hash)
    )
    select same as address, accounts, tester_id as "userId", suspended, first_at as "firstAt" from people
    where accounts > 1 and place <= ${most} order by same, first_seq`)

/** Accounts that were created, or whose email was confirmed, in this step. A new address counts once it is confirmed. */
export const freshMail = (tx: Tx, step: Step): Promise<{ userId: string; domain: string }[]> =>
  tx.rows(sql`
    select id as "userId", ${domain} as domain from users where ${within(sql`created_at`, step)}
    union
    select id, ${domain} from users
      where email_verified_at is not null and ${within(sql`email_verified_at`, step)}`)

const domain = sql`split_part(email, '@', -1)`

/** These accounts with the domains of their emails, without admins and deleted accounts. */
export const mailOf = (tx: Tx, userIds: readonly string[]): Promise<MailAccount[]> =>
  tx.rows(sql`
    select u.id as "userId", role, suspended_at is not null as suspended, ${domain} as domain, created_at as "createdAt",
      email_verified_at as "confirmedAt"
    from unnest(${userIds}::uuid[]) fresh (id)
      cross join lateral (select * from users where id = fresh.id and role <> 'ADMIN' and deleted_at is null offset 0) u
    order by u.id`)

/** Accounts that withdrew in this step, soon after they were created. */
export const newAccountsPaidOut = (tx: Tx, step: Step): Promise<string[]> =>
  keys(
    tx.rows(sql`select distinct w.tester_id as key from withdrawals w
      cross join lateral (select created_at from users where id = w.tester_id offset 0) u
    where ${within(sql`w.created_at`, step)} and w.created_at < ${latest}`),
  )

const latest = sql`u.created_at
  + make_interval(days => ${thresholds.newAccountDays}::int, hours => ${thresholds.rightAfterHours}::int)`

/** Withdrawals of these accounts since `since`, soon after their first credit, if the account was new at that credit. */
export const earlyWithdrawals = (tx: Tx, testerIds: readonly string[], since: string): Promise<EarlyWithdrawal[]> =>
  tx.rows(sql`
    select w.tester_id as "testerId", u.created_at as "accountAt", first.created_at as "creditAt",
      first.amount_cents as "creditCents", first.campaign_id as "campaignId", w.id as "withdrawalId",
      w.created_at as "withdrawalAt", w.amount_cents as "withdrawalCents"
    from unnest(${testerIds}::uuid[]) tester (id)
      cross join lateral (select * from users where id = tester.id and deleted_at is null offset 0) u
      cross join lateral (
        select created_at, amount_cents, campaign_id from transactions
        where user_id = tester.id and type = 'CREDIT' order by seq limit 1
      ) first
      cross join lateral (select * from withdrawals where tester_id = tester.id offset 0) w
    where w.created_at >= ${since}::timestamptz and w.created_at < ${latest}
      and first.created_at < u.created_at + make_interval(days => ${thresholds.newAccountDays}::int)
      and w.created_at < first.created_at + make_interval(hours => ${thresholds.rightAfterHours}::int)
    order by w.tester_id, w.created_at, w.id`)
