/**
 * What detectors ask for: one statement each. `since`: only what became possible from then on is looked for. The lateral
 * parts go by index from one device to its users, however many rows the planner expects: a night's scan costs what
 * the day brought, and the first one is linear in all there is.
 */
import { sql, type Tx } from '../../kit/server/db.ts'
import {
  type AlikeProof,
  type DeviceAccount,
  type EarlyWithdrawal,
  type PlayAddressAccount,
  type SelfTest,
  thresholds,
} from '../rules.ts'

const most = thresholds.factsOfOneFinding

/**
 * Accounts on a device that somebody used since then, in the order in which they came to it. Admins sign in wherever
 * they look into things, and are left out.
 */
export const accountsOnDevices = (tx: Tx, since: string): Promise<DeviceAccount[]> =>
  tx.rows(sql`
    with fresh as (select distinct device from device_uses where at >= ${since}),
    used as (
      select fresh.device, seen.* from fresh
      cross join lateral (select user_id, min(at) as first_at, min(seq) as first_seq from device_uses
        where device = fresh.device group by user_id) seen
    ),
    people as (
      select used.*, s.role, s.suspended_at is not null as suspended,
        count(*) over (partition by device) as accounts,
        row_number() over (partition by device order by first_seq desc) as place
      from used join users s on s.id = used.user_id
      where s.role <> 'ADMIN' and s.deleted_at is null
    )
    select device, accounts, user_id as "userId", role, suspended, first_at as "firstAt" from people
    where accounts > 1 and place <= ${most} order by device, first_seq`)

/**
 * Participations whose tester shares a device with the campaign's developer, when the device was used, or the campaign
 * joined, since then.
 */
export const selfTests = (tx: Tx, since: string): Promise<SelfTest[]> =>
  tx.rows(sql`
    with fresh as materialized (
      select device from device_uses where at >= ${since}
      union
      select u.device from (select distinct tester_id from participations where joined_at >= ${since}) p
        cross join lateral (select device from device_uses where user_id = p.tester_id offset 0) u
    ),
    pairs as (
      select fresh.device, d.user_id as developer_id, d.first_at as developer_at, t.user_id as tester_id, t.first_at as tester_at
      from fresh
      cross join lateral (
        select u.user_id, min(u.at) as first_at from device_uses u join users s on s.id = u.user_id
        where u.device = fresh.device and s.role = 'DEVELOPER' and s.deleted_at is null group by u.user_id
      ) d
      cross join lateral (
        select u.user_id, min(u.at) as first_at from device_uses u join users s on s.id = u.user_id
        where u.device = fresh.device and s.role = 'TESTER' and s.deleted_at is null group by u.user_id
      ) t
    )
    select p.id as "participationId", c.id as "campaignId", c.title as "campaignTitle", pairs.developer_id as "developerId",
      pairs.tester_id as "testerId", p.joined_at as "joinedAt", p.status = 'VERIFIED' as paid, pairs.device,
      pairs.developer_at as "developerAt", pairs.tester_at as "testerAt"
    from pairs
      cross join lateral (select * from participations where tester_id = pairs.tester_id offset 0) p
      join campaigns c on c.id = p.campaign_id and c.developer_id = pairs.developer_id
    order by p.id, pairs.developer_at, pairs.device`)

/**
 * Proofs with the text of one that was submitted since then, from several testers: the first, and the newest, in the order
 * in which their submissions were recorded; several servers' clocks could make the author the copyist.
 */
export const alikeProofs = (tx: Tx, since: string): Promise<AlikeProof[]> =>
  tx.rows(sql`
    with fresh as (select distinct proof_key from participations where proof_submitted_at >= ${since} and proof_key is not null),
    groups as (
      select p.proof_key, count(*) as proofs, count(distinct p.tester_id) as testers, count(distinct p.campaign_id) as campaigns
      from fresh join participations p on p.proof_key = fresh.proof_key
      group by p.proof_key having count(distinct p.tester_id) > 1
    ),
    proofs as (
      select g.proofs, g.testers, g.campaigns, p.*, submission.id as submission
      from groups g join participations p on p.proof_key = g.proof_key
        cross join lateral (
          select max(id) as id from campaign_events where participation_id = p.id and kind = 'PROOF_SUBMITTED'
        ) submission
    ),
    placed as (
      select *, row_number() over (partition by proof_key order by submission, id) as from_first,
        row_number() over (partition by proof_key order by submission desc, id desc) as from_newest
      from proofs
    )
    select p.proof_key as "proofKey", p.proofs, p.testers, p.campaigns, p.id as "participationId", p.tester_id as "testerId",
      c.id as "campaignId", c.title as "campaignTitle", p.proof_submitted_at as "submittedAt", left(p.proof_text, 500) as text
    from placed p join campaigns c on c.id = p.campaign_id
    where p.from_first = 1 or p.from_newest <= ${most} order by p.proof_key, p.submission, p.id`)

/** Accounts that gave one Play address, when somebody gave it since then, in the order in which they did. */
export const accountsOfPlayAddresses = (tx: Tx, since: string): Promise<PlayAddressAccount[]> =>
  tx.rows(sql`
    with fresh as (
      select distinct address_hash from play_addresses where consented_at >= ${since} and address_hash is not null
    ),
    given as (
      select fresh.address_hash, seen.* from fresh
      cross join lateral (select tester_id, min(consented_at) as first_at, min(participation_id::text) as first_of,
          min(same_address::text) as address
        from play_addresses where address_hash = fresh.address_hash group by tester_id) seen
    ),
    people as (
      select given.*, s.suspended_at is not null as suspended, count(*) over same_hash as accounts,
        min(address) over same_hash as same,
        row_number() over (partition by address_hash order by first_at desc, first_of desc) as place
      from given join users s on s.id = given.tester_id where s.deleted_at is null
      window same_hash as (partition by address_hash)
    )
    select same as address, accounts, tester_id as "userId", suspended, first_at as "firstAt" from people
    where accounts > 1 and place <= ${most} order by same, first_at, first_of`)

/** Withdrawals since then, soon after the account's first credit, when the account was new at that credit. */
export const earlyWithdrawals = (tx: Tx, since: string): Promise<EarlyWithdrawal[]> =>
  tx.rows(sql`
    select w.tester_id as "testerId", u.created_at as "accountAt", first.created_at as "creditAt",
      first.amount_cents as "creditCents", first.campaign_id as "campaignId", w.id as "withdrawalId",
      w.created_at as "withdrawalAt", w.amount_cents as "withdrawalCents"
    from withdrawals w join users u on u.id = w.tester_id
      cross join lateral (
        select created_at, amount_cents, campaign_id from transactions
        where user_id = w.tester_id and type = 'CREDIT' order by seq limit 1
      ) first
    where w.created_at >= ${since}
      and w.created_at < u.created_at + make_interval(days => ${thresholds.newAccountDays}::int, hours => ${thresholds.rightAfterHours}::int)
      and first.created_at < u.created_at + make_interval(days => ${thresholds.newAccountDays}::int)
      and w.created_at < first.created_at + make_interval(hours => ${thresholds.rightAfterHours}::int)
    order by w.tester_id, w.created_at, w.id`)
